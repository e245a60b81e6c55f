import { isMap, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { duration } from "@/ui/time";

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
  const checkpoints = found(["checkpoints"]).sort((one, other) => priority(one) - priority(other));
  const noneLifted = file.getIn(["auto_approval", "enabled"]) === false;
  return [
    ...checkpoints.map(({ rule, line }) => inWords(rule, part(rule.trigger), actionOf(rule.action), line)),
    ...found(["auto_approval", "rules"]).map(({ rule, line }) => {
      const said = inWords(rule, part(rule.conditions), { auto_approve: true, ...part(rule.action) }, line);
      return { ...said, off: said.off || noneLifted };
    }),
  ];
}

function inWords(rule: Part, trigger: Part, action: Part, line: number): RuleInWords {
  const verdict = action.deny ? "deny" : action.auto_approve ? "allow" : "ask";
  const does = { deny: denies, allow: approves, ask: asks }[verdict](action);
  const sentence = `${[which(trigger), ...conditions(trigger)].join(" ")} ${does}.`;
  return { name: String(rule.name ?? ""), verdict, sentence, off: rule.enabled === false, line };
}

const part = (value: unknown): Part => (value !== null && typeof value === "object" ? (value as Part) : {});
const actionOf = (action: unknown): Part => (typeof action === "string" ? { [action]: true } : part(action));
const many = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
const words = (value: unknown, between: string): string => many(value).map(String).join(` ${between} `);
const plain = (value: unknown): string => String(value).replaceAll("_", " ");

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function which({ tool, operation_type: operation }: Part): string {
  if (tool !== undefined) return `Calls of ${words(tool, "or")}`;
  if (operation !== undefined) return capital(`${many(operation).map(plain).join(" or ")} calls`);
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
    tool !== undefined && operation_type !== undefined && `(${many(operation_type).map(plain).join(" or ")})`,
    risk_level !== undefined && `with ${words(risk_level, "or")} risk`,
    agent !== undefined && `by ${words(agent, "or")}`,
    workflow !== undefined && `in ${words(workflow, "or")}`,
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
  const said = Object.entries(days).map(([day, hours]) => `${day.replace("_", " to ")} ${hours}`);
  return `${said.join(", ")} (${timezone})`;
}

const denies = ({ reason }: Part): string => `never happen${reason ? `: “${reason}”` : ""}`;

function approves({ notify, rollout_percentage: share }: Part): string {
  const some = typeof share === "number" ? `, for ${share} % of them` : share ? ", for a growing share of them" : "";
  return `run without a person${some}${notify ? ", and people are told" : ""}`;
}

function asks(action: Part): string {
  const {
    require_approval_count: people = 1,
    approvers,
    stages,
    four_eyes,
    timeout_seconds: wait,
    on_timeout,
  } = action;
  const signers = many(stages).map((stage) => words(part(stage).approvers, "or"));
  return [
    people === 1 ? "wait for a person" : `wait for ${people} different people`,
    approvers !== undefined && ` (${words(approvers, "or")})`,
    signers.length > 0 && ` in turn: ${signers.join(", then ")}`,
    four_eyes === true && ", not whoever started the run",
    wait !== undefined && `, for ${duration(Number(wait))} at most${on_timeout ? `, then ${on_timeout}` : ""}`,
  ]
    .filter(Boolean)
    .join("");
}
