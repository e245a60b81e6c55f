import type { Part } from "../ruleText/readRules";
import { capital, isGiven, many, part, plain, words } from "./wordParts";

const KINDS: Record<string, string> = {
  approval: "calls",
  plan: "plans",
  milestone: "milestones",
  budget: "requests for more budget",
  question: "questions",
};

export const isAboutCalls = (kind: unknown): boolean => !isGiven(kind) || many(kind).includes("approval");

/** What a rule is about, and under which conditions. */
export const triggerWords = (trigger: Part): string => [which(trigger), ...conditions(trigger)].join(" ");

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
  const { ask_kind, tool, operation_type, risk_level, agent, workflow, cost, hours, outside_hours, ...more } = trigger;
  const { data_threshold, custom_field, confidence, agent_confidence, arguments: kinds, ...others } = more;
  const sureness = confidence ?? agent_confidence;
  const fields = [...many(data_threshold), ...many(custom_field)].map(part);
  const facts = [
    ...fields.map(({ field, operator, value }) => `${field} ${comparedWords(String(operator), value)}`),
    ...(isObject(kinds) ? [argumentsWords(kinds)] : []),
    ...(sureness === undefined ? [] : [`the agent is ${sure(sureness)} sure`]),
    ...Object.entries(others)
      .filter(([, value]) => isGiven(value) && isWordable(value))
      .map(([key, value]) => `${plain(key)} is ${many(value).map(plain).join(" or ")}`),
  ];
  return [
    isGiven(operation_type) &&
      (isGiven(tool) || isGiven(ask_kind)) &&
      `(${many(operation_type).map(plain).join(" or ")})`,
    isGiven(risk_level) && `with ${words(risk_level, "or")} risk`,
    isGiven(agent) && `by ${words(agent, "or")}`,
    isGiven(workflow) && `in ${words(workflow, "or")}`,
    cost !== undefined && `that cost ${amount(cost)} credits`,
    facts.length > 0 && `where ${facts.join(" and ")}`,
    hours !== undefined && `during ${timesWords(hours)}`,
    outside_hours !== undefined && `outside of ${timesWords(outside_hours)}`,
  ].filter((each) => each !== false);
}

const isObject = (value: unknown): value is Part => typeof value === "object" && value !== null;

/** `the arguments are exactly channel (text) and amount (number)`. */
function argumentsWords(kinds: Part): string {
  const named = Object.entries(kinds).map(([name, kind]) => `${name} (${kind})`);
  return named.length === 0 ? "there are no arguments" : `the arguments are exactly ${listed(named)}`;
}

const listed = (all: string[]): string =>
  all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;

const WORDED =
  "ask_kind tool operation_type risk_level agent workflow cost hours outside_hours confidence agent_confidence data_threshold custom_field arguments".split(
    " ",
  );

/** One word or several: what the format may get later on reads well, too. */
const isWordable = (value: unknown): boolean => many(value).every((each) => each !== null && typeof each !== "object");

/** Whether something is given that the sentence leaves out. */
export const leavesOut = (trigger: Part): boolean =>
  Object.entries(trigger).some(([key, value]) => !WORDED.includes(key) && !isWordable(value));

export const COMPARED: Record<string, string> = {
  ">": "is more than",
  ">=": "is at least",
  "<": "is less than",
  "<=": "is at most",
  "==": "is",
  "=": "is",
  "!=": "is not",
  like: "is like",
  in: "is one of",
  not_in: "is none of",
  contains: "contains",
  starts_with: "starts with",
  ends_with: "ends with",
};

export function comparedWords(operator: string, value: unknown): string {
  if (operator === "exists") return value === false ? "is missing" : "is given";
  return `${COMPARED[operator] ?? operator} ${many(value)
    .map(number)
    .join(operator === "like" ? " or " : ", ")}`;
}

const number = (value: unknown): string => (typeof value === "number" ? value.toLocaleString("en") : String(value));

/** `>= 0.8`, or the same as a block. */
export function bound(value: unknown): [operator: string, bound: number] {
  const short = /^\s*([<>=!]+)\s*(.*)$/.exec(String(value));
  const { operator, value: limit } = part(value);
  return short ? [short[1] ?? "", Number(short[2])] : [String(operator), Number(limit)];
}

const amount = (value: unknown): string => {
  const [operator, limit] = bound(value);
  return `${(COMPARED[operator] ?? operator).replace(/^is /, "")} ${number(limit)}`;
};
const sure = (value: unknown): string => {
  const [operator, share] = bound(value);
  return `${(COMPARED[operator] ?? operator).replace(/^is ?/, "")} ${Math.round(share * 1000) / 10} %`.trim();
};

export function timesWords(value: unknown): string {
  const { timezone = "UTC", ...days } = part(value);
  const said = Object.entries(days).map(
    ([day, hours]) => `${day.split("_").map(capital).join(" to ")} ${hours === "disabled" ? "closed" : hours}`,
  );
  return `${said.join(", ")} (${timezone})`;
}
