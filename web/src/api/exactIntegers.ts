/**
 * Integers that a JavaScript number would round, such as long account numbers: what people approve must be what runs.
 *
 * They go through the app as text behind an invisible mark, so that everything that copies, compares or stores values
 * keeps them whole, and become numbers again on their way to the server.
 */
const MARK = "\u2063\u2063";
const HALF_A_MARK = /\u2063|\\u2063/;
// Written plainly, escaped, or each half another way.
const FORGED = /^"(?:\u2063|\\u2063){2,}/;
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const MARKED_TEXT = /^"\u2063\u2063(-?\d+)"$/;

/** JSON text in which such integers are marked, and nothing else is. */
export function marked(json: string): string {
  if (!/\d{16}/.test(json) && !HALF_A_MARK.test(json)) return json;
  return json.replace(TEXT_OR_NUMBER, (found) => {
    if (found.startsWith('"')) return found.replace(FORGED, '"');
    return /^-?\d{16,}$/.test(found) && !Number.isSafeInteger(Number(found)) ? `"${MARK}${found}"` : found;
  });
}

/** Text by text: the end of one may look like a marked integer. */
const unmarked = (json: string): string =>
  json.includes(MARK) ? json.replace(TEXT_OR_NUMBER, (found) => found.replace(MARKED_TEXT, "$1")) : json;

export const parseExactly = (json: string): unknown => JSON.parse(marked(json));
export const writeExactly = (value: unknown, space?: number): string => unmarked(JSON.stringify(value, null, space));

export const isExact = (value: unknown): value is string =>
  typeof value === "string" && value.startsWith(MARK) && /^-?\d+$/.test(value.slice(MARK.length));

export const toBigInt = (exact: string): bigint => BigInt(exact.slice(MARK.length));
export const fromBigInt = (integer: bigint): number | string =>
  Number.isSafeInteger(Number(integer)) ? Number(integer) : `${MARK}${integer}`;

/** The same value with its marked integers turned into something else. */
export function mapExact(value: unknown, turn: (integer: bigint) => unknown): unknown {
  if (isExact(value)) return turn(toBigInt(value));
  if (Array.isArray(value)) return value.map((item) => mapExact(item, turn));
  if (value === null || typeof value !== "object") return value;
  // JSON has no field without a value, and a form leaves one where a field was emptied.
  const held = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(held.map(([name, item]) => [name, mapExact(item, turn)]));
}
