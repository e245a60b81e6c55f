/** How a JSON value is best read by a person. */
export type Reading =
  | { as: "nothing" }
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
const DEEP = 2;
const WIDEST = 6;

export function reading(value: unknown, depth = 0): Reading {
  if (value === null || value === undefined || value === "") return { as: "nothing" };
  if (typeof value === "string") return readString(value);
  if (typeof value === "boolean") return { as: "word", text: value ? "Yes" : "No" };
  if (typeof value === "number") return { as: "number", text: grouped(value) };
  if (depth >= DEEP) return { as: "json", text: JSON.stringify(value, null, 2) };
  if (Array.isArray(value)) return readList(value);
  const fields = Object.entries(value as Record<string, unknown>);
  return fields.length > 0 ? { as: "fields", fields } : { as: "nothing" };
}

function readList(items: unknown[]): Reading {
  if (items.length === 0) return { as: "nothing" };
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

const isShort = (value: unknown): boolean => !isBlock(reading(value));

/** Whether a value wants the whole width below its name, rather than a place beside it. */
export function isBlock(how: Reading): boolean {
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
  const first = texts.find((value) => String(value).trim() !== "");
  return first === undefined ? "" : (String(first).trim().split("\n", 1)[0] ?? "").slice(0, 160);
}

function readString(text: string): Reading {
  if (/^https?:\/\/\S+$/.test(text)) return { as: "link", text };
  if (looksLikeCode(text)) return { as: "code", text };
  if (text.includes("\n") || text.length > LONG)
    return { as: "text", text, language: looksLikeMarkdown(text) ? "markdown" : "plain" };
  return { as: "word", text };
}

/** Programs, queries and markup: their lines must stay as they are. */
function looksLikeCode(text: string): boolean {
  if (!text.includes("\n")) return false;
  return (
    /^\s*(#!|<[a-z!?]|[{[]\s*$|(import|from|def|class|function|const|let|package|SELECT|INSERT|UPDATE|CREATE)\b)/im.test(
      text.slice(0, 400),
    ) && /[;{}()<>=]\s*$/m.test(text)
  );
}

function looksLikeMarkdown(text: string): boolean {
  return /^#{1,4} \S/m.test(text) || /^\s*[-*] \S/m.test(text) || /\*\*\S/.test(text);
}

function grouped(value: number): string {
  // A year or an id reads wrong with separators, a sum reads wrong without.
  return Math.abs(value) >= 10_000 || !Number.isInteger(value)
    ? value.toLocaleString("en", { maximumFractionDigits: 6 })
    : String(value);
}
