import type { Change } from "../ruleText/changeRule";
import type { Part } from "../ruleText/readRules";
import type { Verdict } from "../sentences/actionWords";
import { many, part } from "../sentences/wordParts";

const KEYS: Record<Verdict, string[]> = {
  ask: "require_approval_count approvers stages four_eyes require_sign_in timeout_seconds on_timeout escalation remind_before_seconds notification batch_alike log_decision".split(
    " ",
  ),
  deny: ["deny", "reason", "log_decision"],
  allow: ["auto_approve", "notify", "notification_channels", "rollout_percentage", "log_decision"],
};

/** What to change so that a rule does something else; what goes with the old deed alone is left out. */
export function deedChanges(action: Part, to: Verdict): Change[] {
  const gone = Object.keys(action).filter((key) => !KEYS[to].includes(key));
  const flag = { ask: null, deny: "deny", allow: "auto_approve" }[to];
  return [
    ...(flag ? [{ path: ["action", flag], value: true } as Change] : []),
    ...gone.map((key): Change => ({ path: ["action", key], value: undefined })),
  ];
}

/** The keys of an action that menus do not know. */
export const textKeys = (verdict: Verdict, action: Part): string[] =>
  Object.keys(action).filter((key) => !KEYS[verdict].includes(key) && key !== "ask");

export interface Stage {
  name?: string;
  approvers: string[];
  count: number;
}

export const stagesOf = (action: Part): Stage[] =>
  many(action.stages)
    .map(part)
    .map(({ name, approvers, count }) => ({
      ...(typeof name === "string" ? { name } : {}),
      approvers: many(approvers).map(String),
      count: typeof count === "number" ? count : 1,
    }));

/** As the file has it: a count of one need not be said. */
export const stageParts = (stages: Stage[]): Part[] =>
  stages.map(({ name, approvers, count }) => ({
    ...(name ? { name } : {}),
    approvers: approvers.length === 1 ? approvers[0] : approvers,
    ...(count > 1 ? { count } : {}),
  }));

/** From one round of signatures to several, and back. */
export function roundChanges(action: Part, several: boolean): Change[] {
  if (several) {
    const approvers = many(action.approvers).map(String);
    const count = Number(action.require_approval_count ?? 1);
    const first = { approvers: approvers.length > 0 ? approvers : ["role:approver"], count };
    return [
      { path: ["action", "stages"], value: stageParts([first, { approvers: ["role:admin"], count: 1 }]) },
      { path: ["action", "approvers"], value: undefined },
      { path: ["action", "require_approval_count"], value: undefined },
    ];
  }
  const [first] = stagesOf(action);
  const people = first?.approvers ?? [];
  return [
    { path: ["action", "approvers"], value: people.length === 0 ? undefined : people },
    { path: ["action", "require_approval_count"], value: first && first.count > 1 ? first.count : undefined },
    { path: ["action", "stages"], value: undefined },
  ];
}

/** What goes with a time limit goes when it does. */
export function timeoutChanges(action: Part, seconds: number | undefined): Change[] {
  const limit: Change = { path: ["action", "timeout_seconds"], value: seconds };
  if (seconds !== undefined) return [limit];
  const others = ["on_timeout", "remind_before_seconds"].filter((key) => key in action);
  return [limit, ...others.map((key): Change => ({ path: ["action", key], value: undefined }))];
}

export const UNITS = [
  { value: 1, label: "seconds" },
  { value: 60, label: "minutes" },
  { value: 3600, label: "hours" },
  { value: 86_400, label: "days" },
];

/** The largest unit in which a time is a whole number. */
export const unitOf = (seconds: number): number =>
  UNITS.toReversed().find(({ value }) => seconds % value === 0)?.value ?? 1;
