/**
 * Integers that a JavaScript number would round, such as long account numbers: what people approve must be what runs.
 *
 * They go through the app as text behind an invisible mark, so that everything that copies, compares or stores values
 * keeps them whole, and become numbers again on their way to the server.
 */
const MARK = "\u2063\u2063";
const FORGED = /\u2063\u2063|\\u2063\\u2063/gi;
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const MARKED_TEXT = /"\u2063\u2063(-?\d+)"/g;

/** JSON text in which such integers are marked. */
export function marked(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  return json
    .replace(FORGED, "")
    .replace(TEXT_OR_NUMBER, (found) =>
      /^-?\d{16,}$/.test(found) && !Number.isSafeInteger(Number(found)) ? `"${MARK}${found}"` : found,
    );
}

const unmarked = (json: string): string => json.replace(MARKED_TEXT, "$1");

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
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapExact(item, turn)]));
}
