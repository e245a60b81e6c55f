import { isExact, toBigInt, writeExactly } from "@/api/exactIntegers";

/** How a JSON value is best read by a person. */
export type ValueFormat =
  | { as: "nothing"; text: string }
  | { as: "word"; text: string }
  | { as: "link"; text: string }
  | { as: "text"; text: string; language: "markdown" | "plain" }
  | { as: "number"; text: string }
  | { as: "list"; items: unknown[] }
  | { as: "table"; columns: string[]; rows: unknown[][] }
  | { as: "fields"; fields: [string, unknown][] }
  | { as: "code"; text: string }
  | { as: "json"; text: string };

const LONG = 90;
const LONGEST_LINK = 2000;
const DEEP = 2;
const WIDEST = 6;
// Enough to know what kind of text it is: what an agent sends may be a megabyte.
const SAMPLE = 4000;

export function formatOf(value: unknown, depth = 0): ValueFormat {
  if (isExact(value)) return { as: "number", text: toBigInt(value).toLocaleString("en") };
  if (typeof value === "string") return readString(value);
  if (typeof value === "boolean") return { as: "word", text: value ? "Yes" : "No" };
  if (typeof value === "number") return { as: "number", text: grouped(value) };
  const empty = emptyWords(value);
  if (empty) return { as: "nothing", text: empty };
  if (depth >= DEEP) return { as: "json", text: writeExactly(value, 2) };
  if (Array.isArray(value)) return readList(value);
  return { as: "fields", fields: Object.entries(value as Record<string, unknown>) };
}

/** No filter, an empty filter and a filter for nothing are different things to whoever approves a deletion. */
function emptyWords(value: unknown): string | null {
  if (value === null) return "nothing (null)";
  if (value === undefined) return "not given";
  if (Array.isArray(value)) return value.length === 0 ? "empty list" : null;
  return Object.keys(value).length === 0 ? "no fields" : null;
}

function readList(items: unknown[]): ValueFormat {
  const columns = [...new Set(items.flatMap((item) => (isObject(item) ? Object.keys(item) : [])))];
  const flat = items.every((item) => isObject(item) && Object.values(item).every(isShort));
  if (!flat || columns.length === 0 || columns.length > WIDEST) return { as: "list", items };
  return {
    as: "table",
    columns,
    rows: items.map((item) => columns.map((name) => (isObject(item) ? item[name] : null))),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const isShort = (value: unknown): boolean =>
  value !== null && typeof value === "object" ? emptyWords(value) !== null : !isBlock(formatOf(value));

/** Whether a value wants the whole width below its name, rather than a place beside it. */
export function isBlock(how: ValueFormat): boolean {
  return ["text", "code", "json", "fields", "list", "table"].includes(how.as);
}

/** `max_cost_credits` → `Max cost credits`. */
export function label(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** One line that tells calls of the same tool apart. */
export function summary(values: Record<string, unknown> | null | undefined): string {
  const texts = Object.values(values ?? {}).filter((value) => typeof value === "string" || typeof value === "number");
  const first = texts
    .map((value) => String(isExact(value) ? toBigInt(value) : value))
    .find((text) => text.trim() !== "");
  return first === undefined ? "" : (first.trim().split("\n", 1)[0] ?? "").slice(0, 160);
}

function readString(text: string): ValueFormat {
  if (text.trim() === "") return { as: "nothing", text: text === "" ? "empty text" : "only white space" };
  if (text.length <= LONGEST_LINK && /^https?:\/\/\S+$/.test(text)) return { as: "link", text };
  if (looksLikeCode(text)) return { as: "code", text };
  if (text.includes("\n") || text.length > LONG)
    return { as: "text", text, language: looksLikeMarkdown(text.slice(0, SAMPLE)) ? "markdown" : "plain" };
  return { as: "word", text };
}

/** Programs, queries and markup: their lines must stay as they are. */
function looksLikeCode(text: string): boolean {
  if (!text.includes("\n")) return false;
  return (
    /^[ \t]*(#!|<[a-z!?]|[{[][ \t]*$|(import|from|def|class|function|const|let|package|SELECT|INSERT|UPDATE|CREATE)\b)/im.test(
      text.slice(0, 400),
    ) && /[;{}()<>=][ \t]*$/m.test(text.slice(0, SAMPLE))
  );
}

function looksLikeMarkdown(text: string): boolean {
  return /^#{1,4} \S/m.test(text) || /^[ \t]*[-*] \S/m.test(text) || /\*\*\S/.test(text);
}

function grouped(value: number): string {
  const size = Math.abs(value);
  // Written out, these would be a row of zeros, or nothing but zero.
  if (size >= 1e21 || (size > 0 && size < 1e-6)) return String(value);
  // A year or an id reads wrong with separators, a sum reads wrong without.
  return size >= 10_000 ? value.toLocaleString("en", { maximumFractionDigits: 20 }) : String(value);
}
