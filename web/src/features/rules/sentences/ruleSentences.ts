import { type Part, type ReadRule, type ReadRules, type RulePlace, readRules } from "../ruleText/readRules";
import { leavesOut as actionLeavesOut, actionWords, type Verdict } from "./actionWords";
import { isAboutCalls, timesWords, leavesOut as triggerLeavesOut, triggerWords } from "./conditionWords";
import { part } from "./wordParts";

/** One rule as a person would say it. */
export interface RuleInWords extends RulePlace {
  name: string;
  /** As in the verdict of a call. */
  verdict: Verdict;
  sentence: string;
  /** Switched off, alone or together with all others of its kind. */
  off: boolean;
  line: number;
  rule: Part;
}

/** The rules of a file, in the order in which they are asked; nothing while the file cannot be read. */
export function rulesInWords(text: string): RuleInWords[] | null {
  const read = readRules(text);
  return read.ok ? wordsOf(read) : null;
}

export function wordsOf({ file, rules }: Extract<ReadRules, { ok: true }>): RuleInWords[] {
  const checkpoints = rules
    .filter(({ section }) => section === "checkpoints")
    .sort((one, other) => priorityOf(one.rule) - priorityOf(other.rule))
    .map((each) => inWords(each, part(each.rule.trigger), actionOf(each.rule.action)));
  const { enabled, global_settings } = part(file.auto_approval);
  const { business_hours_only, business_hours, emergency_stop } = part(global_settings);
  const limits = [LIFTING, business_hours_only === true && `, only during ${timesWords(business_hours)}`];
  const lifting = rules
    .filter(({ section }) => section === "auto_approval")
    .map((each) => {
      const action = { auto_approve: true, ...actionOf(each.rule.action) };
      const said = inWords(each, part(each.rule.conditions), action, limits.filter(Boolean).join(""));
      return { ...said, off: said.off || enabled === false };
    });
  // A denial counts whatever its priority.
  return [
    ...checkpoints.filter(({ verdict }) => verdict === "deny"),
    ...checkpoints.filter(({ verdict }) => verdict !== "deny"),
    ...lifting,
  ].map((rule) => (emergency_stop === true && rule.verdict === "allow" ? { ...rule, off: true } : rule));
}

const priorityOf = ({ priority }: Part): number => (typeof priority === "number" ? priority : 100);

/** An action may be written in short. */
export const actionOf = (action: unknown): Part =>
  typeof action === "string" ? (action === "ask" ? {} : { [action]: true }) : part(action);

export const verdictOf = ({ deny, auto_approve }: Part): Verdict => (deny ? "deny" : auto_approve ? "allow" : "ask");

// An auto-approval speaks last: it takes back what only the agent's own settings ask for.
const LIFTING = ", unless a rule above says otherwise";
const MORE = "… and more: edit in the text";

function inWords(read: ReadRule, trigger: Part, action: Part, limits = ""): RuleInWords {
  const { rule } = read;
  const verdict = verdictOf(action);
  const done = actionWords(verdict, action);
  const does = isAboutCalls(trigger.ask_kind) ? done : done.replace(/^run /, "are approved ");
  const end = triggerLeavesOut(trigger) || actionLeavesOut(verdict, action) ? ` ${MORE}` : ".";
  const sentence = `${triggerWords(trigger)} ${does}${limits}${end}`;
  return { ...read, name: String(rule.name ?? ""), verdict, sentence, off: rule.enabled === false };
}
