import type { Schema } from "../editor/ruleCompletion";
import type { Part } from "../ruleText/readRules";
import { bound, COMPARED } from "../sentences/conditionWords";
import { many, part, plain } from "../sentences/wordParts";

/** How a condition is chosen; `text` only by writing it. */
export type ConditionKind = "words" | "yesNo" | "figure" | "field" | "hours" | "text";

export interface Condition {
  key: string;
  /** Which one of several under this key. */
  index: number;
  kind: ConditionKind;
  value: unknown;
}

export interface Choice {
  key: string;
  kind: Exclude<ConditionKind, "text">;
  label: string;
  /** All there is, where the format says so. */
  options?: string[];
}

const CHOICES: Choice[] = [
  { key: "tool", kind: "words", label: "Tool" },
  { key: "operation_type", kind: "words", label: "Operation type" },
  { key: "risk_level", kind: "words", label: "Risk level", options: ["low", "medium", "high", "critical"] },
  { key: "agent", kind: "words", label: "Agent" },
  { key: "workflow", kind: "words", label: "Workflow" },
  { key: "data_threshold", kind: "field", label: "A field of the call" },
  { key: "confidence", kind: "figure", label: "The agent’s confidence" },
  { key: "cost", kind: "figure", label: "Cost in credits" },
  { key: "hours", kind: "hours", label: "Within these hours" },
  { key: "outside_hours", kind: "hours", label: "Outside these hours" },
];
const ASK_KINDS = ["approval", "plan", "milestone", "budget", "question"];
/** Other names of the same. */
const SAME: Record<string, string> = { custom_field: "data_threshold", agent_confidence: "confidence" };
const FIRST_DAYS = ["timezone", "monday_friday", "saturday_sunday"];

/** What a rule can be about: what is known here, and what else the format has in the shape of words. */
export function choicesOf(schema: Schema | undefined): Choice[] {
  const kind: Choice = { key: "ask_kind", kind: "words", label: "Kind of ask", options: ASK_KINDS };
  const known = new Set([...CHOICES.map(({ key }) => key), ...Object.keys(SAME), "ask_kind"]);
  const more = Object.entries(schema?.$defs?.Trigger?.properties ?? {})
    .filter(([key]) => !known.has(key))
    .flatMap(([key, shape]) => shapedChoice(schema as Schema, key, shape));
  return [...CHOICES, ...more, kind];
}

function shapedChoice(schema: Schema, key: string, shape: Schema): Choice[] {
  const label = plain(key).replace(/^./, (letter) => letter.toUpperCase());
  const plainShape = shape.anyOf?.find(({ type }) => type !== "null") ?? shape;
  if (plainShape.type === "boolean") return [{ key, kind: "yesNo", label }];
  if (!plainShape.items) return [];
  const named = plainShape.items.$ref
    ? schema.$defs?.[plainShape.items.$ref.split("/").at(-1) ?? ""]
    : plainShape.items;
  if (named?.type !== "string") return [];
  return [{ key, kind: "words", label, options: named.enum?.map(String) }];
}

export const choiceFor = (choices: Choice[], key: string): Choice | undefined =>
  choices.find((each) => each.key === (SAME[key] ?? key));

/** The conditions of a rule, one by one, in the order of the text. */
export function conditionsOf(trigger: Part, choices: Choice[]): Condition[] {
  return Object.entries(trigger).flatMap(([key, value]): Condition[] => {
    const kind = choiceFor(choices, key)?.kind;
    if (kind === "field")
      return many(value).map((each, index) => ({ key, index, kind: fits(kind, each), value: each }));
    return [{ key, index: 0, kind: kind ? fits(kind, value) : "text", value }];
  });
}

const isPlain = (value: unknown): boolean => value !== null && typeof value !== "object";

function fits(kind: Choice["kind"], value: unknown): ConditionKind {
  return { words: isWords, yesNo: isYesNo, figure: isFigure, field: isField, hours: isHours }[kind](value)
    ? kind
    : "text";
}

const isWords = (value: unknown): boolean => many(value).every((each) => typeof each === "string");
const isYesNo = (value: unknown): boolean => typeof value === "boolean";
const isFigure = (value: unknown): boolean => {
  const [operator, limit] = bound(value);
  return operator in COMPARED && Number.isFinite(limit);
};
const isField = (value: unknown): boolean => {
  const { field, operator, value: limit } = part(value);
  if (typeof field !== "string" || typeof operator !== "string") return false;
  return operator === "exists" || (operator in COMPARED && many(limit).every(isPlain));
};
const isHours = (value: unknown): boolean =>
  Object.entries(part(value)).every(([day, hours]) => FIRST_DAYS.includes(day) && typeof hours === "string");

/** What then stands under the condition's key; `undefined` takes the condition away. */
export function withCondition(trigger: Part, { key, index, kind }: Condition, value: unknown): unknown {
  const before = trigger[key];
  if (kind === "field" || Array.isArray(before)) {
    if (kind !== "field") return value;
    const list = many(before).map((each, at) => (at === index ? value : each));
    const left = list.filter((each) => each !== undefined);
    return left.length === 0 ? undefined : left.length === 1 && !Array.isArray(before) ? left[0] : left;
  }
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** A further condition, with something in it that can be changed. */
export function addedCondition(
  trigger: Part,
  choice: Choice,
  words: Record<string, string[]>,
  timezone: string,
): unknown {
  switch (choice.kind) {
    case "words":
      return (choice.options ? (FIRST[choice.key] ?? choice.options[0]) : words[choice.key]?.[0]) ?? "*";
    case "yesNo":
      return true;
    case "figure":
      return choice.key === "cost" ? "> 10" : "< 0.8";
    case "hours":
      return { timezone, monday_friday: "09:00-17:00" };
    case "field": {
      const one = { field: "amount", operator: ">", value: 1000 };
      const before = many(trigger[choice.key]);
      return before.length > 0 ? [...before, one] : one;
    }
  }
}

const FIRST: Record<string, string> = { risk_level: "high", ask_kind: "plan" };

/** Whether it is there already and can be there only once. */
export const isTaken = (trigger: Part, { key, kind }: Choice): boolean =>
  kind !== "field" && Object.keys(trigger).some((each) => (SAME[each] ?? each) === key);

/** A value as somebody typed it: a number, yes or no, else a text. */
export function typedValue(text: string): string | number | boolean {
  const trimmed = text.trim();
  if (/^[-+]?(\d+(\.\d+)?|\.\d+)$/.test(trimmed) && Number.isFinite(Number(trimmed))) return Number(trimmed);
  return trimmed === "true" ? true : trimmed === "false" ? false : trimmed;
}

/** The value that another operator compares with. */
export function fittingValue(operator: string, value: unknown): unknown {
  const [first = ""] = many(value);
  if (operator === "exists") return true;
  if (operator === "in" || operator === "not_in") return many(value).filter(isPlain);
  if (operator === "like") return many(value).filter(isPlain).map(String);
  if (["contains", "starts_with", "ends_with"].includes(operator)) return String(first);
  if (/^[<>]/.test(operator) && typeof first === "boolean") return 0;
  return first;
}
