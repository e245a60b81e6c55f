import type { Part } from "../ruleText/readRules";
import { durationWords, isGiven, many, part, words } from "./wordParts";

export type Verdict = "allow" | "ask" | "deny";

/** What a rule does, of several calls: `wait for a person`. */
export const actionWords = (verdict: Verdict, action: Part): string =>
  ({ deny: denies, allow: approves, ask: asks })[verdict](action);

const WORDED: Record<Verdict, string> = {
  deny: "deny reason",
  allow: "auto_approve notify notification_channels rollout_percentage log_decision",
  ask: "ask require_approval_count approvers stages four_eyes require_sign_in timeout_seconds on_timeout allow_irreversible escalation remind_before_seconds notification batch_alike log_decision",
};

/** Whether something is given that the sentence leaves out. */
export const leavesOut = (verdict: Verdict, action: Part): boolean =>
  Object.entries(action).some(
    ([key, value]) => value !== false && isGiven(value) && !WORDED[verdict].split(" ").includes(key),
  );

const denies = ({ reason }: Part): string => `never happen${reason ? `: “${reason}”` : ""}`;

function approves({ notify, notification_channels: channels, rollout_percentage: share, log_decision: log }: Part) {
  const told = notify ? `, and people are told${isGiven(channels) ? ` by ${words(channels, "and")}` : ""}` : "";
  return `run without asking${rollout(share)}${told}${log ? ", and each is recorded as an ask" : ""}`;
}

function rollout(share: unknown): string {
  if (share === undefined) return "";
  const { start = 0, target, from, until } = typeof share === "number" ? { start: share, target: share } : part(share);
  if (start === target) return `, for ${target} % of them`;
  return `, for ${start} % of them, growing to ${target} % from ${from} until ${until}`;
}

const WHOSE: Record<string, string> = { viewer: "viewers", member: "members", approver: "approvers", admin: "admins" };

const PLURALS = new Set([...Object.values(WHOSE), "they"]);

/** `group:finance` is the group finance. */
export function whoWords(names: unknown): string {
  const said = many(names).map((each) => {
    const [kind, name = ""] = String(each).split(":", 2);
    if (kind === "group") return `group ${name}`;
    return WHOSE[kind === "role" ? name : String(each)] ?? String(each);
  });
  return said.join(" or ");
}

const persons = (count: unknown): string => (count === 1 ? "a person" : `${count} different people`);
const signers = ({ approvers, count = 1 }: Part): string =>
  `${persons(count)}${isGiven(approvers) ? ` (${whoWords(approvers)})` : ""}`;

function asks(action: Part): string {
  const { require_approval_count: count = 1, approvers, stages, four_eyes, require_sign_in, batch_alike } = action;
  const rounds = many(stages).map((stage) => signers(part(stage)));
  return [
    rounds.length > 0 ? `wait in turn for ${rounds.join(", then ")}` : `wait for ${signers({ approvers, count })}`,
    four_eyes === true && ", not anyone who started, steered or edited it",
    require_sign_in === true && ", decided only in the app, signed in",
    batch_alike === true && ", similar ones together",
    toldOf(part(action.notification)),
    ...many(action.escalation).map((step) => escalated(part(step))),
    outOfTime(action),
  ]
    .filter(Boolean)
    .join("");
}

function toldOf({ channels, recipients }: Part): string {
  if (!isGiven(channels) && !isGiven(recipients)) return "";
  const by = isGiven(channels) ? ` by ${words(channels, "and")}` : "";
  const who = isGiven(recipients) ? many(recipients).map(whoWords) : ["they"];
  const alone = who.length === 1 && !PLURALS.has(String(who[0]));
  return `; ${who.join(" and ")} ${alone ? "is" : "are"} told${by}`;
}

const escalated = ({ enabled, after_seconds, escalate_to }: Part): string =>
  enabled === false ? "" : `; after ${durationWords(after_seconds)} ${whoWords(escalate_to)} can decide, too`;

/** What becomes of it when nobody answers. */
const ON_TIMEOUT: Record<string, string> = {
  fail: "the run fails",
  deny: "they are denied",
  cancel: "the run is cancelled",
  default: "the default answer is used, or the run fails if there is none",
  escalate: "everyone in the chain is told and they keep waiting",
  approve: "those that can be undone run (veto window)",
};

export const effectWords = (onTimeout: unknown): string => ON_TIMEOUT[String(onTimeout ?? "fail")] ?? String(onTimeout);

function outOfTime({
  timeout_seconds: wait,
  on_timeout,
  remind_before_seconds: remind,
  allow_irreversible,
}: Part): string {
  if (wait === undefined) return "";
  const reminded = many(remind).map(durationWords).join(" and ");
  return `; if nobody answers within ${durationWords(wait)}${reminded && ` (reminder ${reminded} before)`}, ${allow_irreversible === true ? "they run, also what can’t be undone" : effectWords(on_timeout)}`;
}
