import { isMap, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { duration } from "@/ui/time/duration";

/** One rule as a person would say it. */
export interface RuleInWords {
  name: string;
  /** As in the verdict of a call. */
  verdict: "allow" | "ask" | "deny";
  sentence: string;
  /** Switched off, alone or together with all others of its kind. */
  off: boolean;
  line: number;
}

type Part = Record<string, unknown>;

/** The rules of a file, in the order in which they are asked; nothing while the file cannot be read. */
export function rulesInWords(text: string): RuleInWords[] | null {
  const lines = new LineCounter();
  const file = parseDocument(text, { lineCounter: lines });
  if (file.errors.length > 0) return null;
  const found = (path: string[]): { rule: Part; line: number }[] => {
    const list = file.getIn(path, true);
    if (!isSeq(list)) return [];
    return list.items.filter(isMap).map((node) => ({
      rule: node.toJS(file) as Part,
      line: lines.linePos((node as Node).range?.[0] ?? 0).line,
    }));
  };
  const priority = ({ rule }: { rule: Part }) => (typeof rule.priority === "number" ? rule.priority : 100);
  const checkpoints = found(["checkpoints"])
    .sort((one, other) => priority(one) - priority(other))
    .map(({ rule, line }) => inWords(rule, part(rule.trigger), actionOf(rule.action), line));
  const { enabled, global_settings } = part(part(file.toJS()).auto_approval);
  const { business_hours_only, business_hours, emergency_stop } = part(global_settings);
  const limits = [LIFTING, business_hours_only === true && `, only during ${times(business_hours)}`];
  const lifting = found(["auto_approval", "rules"]).map(({ rule, line }) => {
    const action = { auto_approve: true, ...part(rule.action) };
    const said = inWords(rule, part(rule.conditions), action, line, limits.filter(Boolean).join(""));
    return { ...said, off: said.off || enabled === false };
  });
  // A denial counts whatever its priority.
  return [
    ...checkpoints.filter(({ verdict }) => verdict === "deny"),
    ...checkpoints.filter(({ verdict }) => verdict !== "deny"),
    ...lifting,
  ].map((rule) => (emergency_stop === true && rule.verdict === "allow" ? { ...rule, off: true } : rule));
}

// An auto-approval speaks last: it takes back what only the agent's own settings ask for.
const LIFTING = ", unless a rule above says otherwise";
const MORE = "… and more: see the YAML";

function inWords(rule: Part, trigger: Part, action: Part, line: number, limits = ""): RuleInWords {
  const verdict = action.deny ? "deny" : action.auto_approve ? "allow" : "ask";
  const done = { deny: denies, allow: approves, ask: asks }[verdict](action);
  const does = isAboutCalls(trigger.ask_kind) ? done : done.replace(/^run /, "are approved ");
  const end = hasMore(trigger, WORDED.trigger) || hasMore(action, WORDED[verdict]) ? ` ${MORE}` : ".";
  const sentence = `${[which(trigger), ...conditions(trigger)].join(" ")} ${does}${limits}${end}`;
  return { name: String(rule.name ?? ""), verdict, sentence, off: rule.enabled === false, line };
}

/** What the sentences speak of. */
const WORDED: Record<"trigger" | RuleInWords["verdict"], string> = {
  trigger:
    "ask_kind tool operation_type risk_level agent workflow cost hours outside_hours confidence agent_confidence data_threshold custom_field",
  deny: "deny reason",
  allow: "auto_approve notify rollout_percentage",
  ask: "ask require_approval_count approvers stages four_eyes timeout_seconds on_timeout",
};

/** Whether something is given that the sentence leaves out; a log is no part of what a rule does to a call. */
const hasMore = (given: Part, worded: string): boolean =>
  Object.entries(given).some(
    ([key, value]) => value !== false && isGiven(value) && ![...worded.split(" "), "log_decision"].includes(key),
  );

const part = (value: unknown): Part => (value !== null && typeof value === "object" ? (value as Part) : {});
const actionOf = (action: unknown): Part => (typeof action === "string" ? { [action]: true } : part(action));
const many = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
const words = (value: unknown, between: string): string => many(value).map(String).join(` ${between} `);
const plain = (value: unknown): string => String(value).replaceAll("_", " ");

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** An empty list is no condition. */
const isGiven = (value: unknown): boolean => many(value).length > 0;

const KINDS: Record<string, string> = {
  approval: "calls",
  plan: "plans",
  milestone: "milestones",
  budget: "requests for more budget",
  question: "questions",
};
const isAboutCalls = (kind: unknown): boolean => !isGiven(kind) || many(kind).includes("approval");

function which({ ask_kind: kind, tool, operation_type: operation }: Part): string {
  if (isGiven(kind)) {
    const named = many(kind).map((each) => KINDS[String(each)] ?? plain(each));
    return `${capital(named.join(" and "))}${isGiven(tool) ? ` of ${words(tool, "or")}` : ""}`;
  }
  if (isGiven(tool)) return `Calls of ${words(tool, "or")}`;
  if (isGiven(operation)) return capital(`${many(operation).map(plain).join(" or ")} calls`);
  return "All calls";
}

function conditions(trigger: Part): string[] {
  const { tool, operation_type, risk_level, agent, workflow, cost, hours, outside_hours } = trigger;
  const confidence = trigger.confidence ?? trigger.agent_confidence;
  const fields = [...many(trigger.data_threshold), ...many(trigger.custom_field)].map(part);
  const facts = [
    ...fields.map(({ field, operator, value }) => `${field} ${compared(String(operator), value)}`),
    ...(confidence === undefined ? [] : [`the agent is ${sure(confidence)} sure`]),
  ];
  return [
    isGiven(operation_type) &&
      (isGiven(tool) || isGiven(trigger.ask_kind)) &&
      `(${many(operation_type).map(plain).join(" or ")})`,
    isGiven(risk_level) && `with ${words(risk_level, "or")} risk`,
    isGiven(agent) && `by ${words(agent, "or")}`,
    isGiven(workflow) && `in ${words(workflow, "or")}`,
    cost !== undefined && `that cost ${amount(cost)} credits`,
    facts.length > 0 && `where ${facts.join(" and ")}`,
    hours !== undefined && `during ${times(hours)}`,
    outside_hours !== undefined && `outside of ${times(outside_hours)}`,
  ].filter((each) => each !== false);
}

const COMPARED: Record<string, string> = {
  ">": "is more than",
  ">=": "is at least",
  "<": "is less than",
  "<=": "is at most",
  "==": "is",
  "=": "is",
  "!=": "is not",
  in: "is one of",
  not_in: "is none of",
  contains: "contains",
  starts_with: "starts with",
  ends_with: "ends with",
};

function compared(operator: string, value: unknown): string {
  if (operator === "exists") return value === false ? "is missing" : "is given";
  return `${COMPARED[operator] ?? operator} ${many(value).map(String).join(", ")}`;
}

/** `>= 0.8`, or the same as a block. */
function bound(value: unknown): [operator: string, bound: number] {
  const short = /^\s*([<>=!]+)\s*(.*)$/.exec(String(value));
  const { operator, value: limit } = part(value);
  return short ? [short[1] ?? "", Number(short[2])] : [String(operator), Number(limit)];
}

const amount = (value: unknown): string => {
  const [operator, limit] = bound(value);
  return `${(COMPARED[operator] ?? operator).replace(/^is /, "")} ${limit}`;
};
const sure = (value: unknown): string => {
  const [operator, share] = bound(value);
  return `${(COMPARED[operator] ?? operator).replace(/^is ?/, "")} ${Math.round(share * 100)} %`.trim();
};

function times(value: unknown): string {
  const { timezone = "UTC", ...days } = part(value);
  const said = Object.entries(days).map(
    ([day, hours]) => `${day.replace("_", " to ")} ${hours === "disabled" ? "closed" : hours}`,
  );
  return `${said.join(", ")} (${timezone})`;
}

const denies = ({ reason }: Part): string => `never happen${reason ? `: “${reason}”` : ""}`;

function approves({ notify, rollout_percentage: share }: Part): string {
  const some = typeof share === "number" ? `, for ${share} % of them` : share ? ", for a growing share of them" : "";
  return `run without a person${some}${notify ? ", and people are told" : ""}`;
}

const persons = (count: unknown): string => (count === 1 ? "a person" : `${count} different people`);
const signersOf = ({ approvers, count = 1 }: Part): string => `${persons(count)} (${words(approvers, "or")})`;

function asks(action: Part): string {
  const {
    require_approval_count: people = 1,
    approvers,
    stages,
    four_eyes,
    timeout_seconds: wait,
    on_timeout,
  } = action;
  const signers = many(stages).map((stage) => signersOf(part(stage)));
  return [
    signers.length > 0 ? `wait in turn for ${signers.join(", then ")}` : `wait for ${persons(people)}`,
    isGiven(approvers) && ` (${words(approvers, "or")})`,
    four_eyes === true && ", not whoever started the run",
    wait !== undefined && `, for ${duration(Number(wait))} at most${on_timeout ? `, then ${on_timeout}` : ""}`,
  ]
    .filter(Boolean)
    .join("");
}
