import { fromBigInt, isExact, writeExactly } from "@/api/exactIntegers";

/** A value as text: words as they are, everything else as JSON with its large integers whole. */
export const valueText = (value: unknown, space?: number): string =>
  typeof value === "string" && !isExact(value) ? value : writeExactly(value, space);

/** Whether there is an integer in it that no field for numbers can hold. */
export const hasExact = (value: unknown): boolean =>
  value !== undefined && writeExactly(value) !== JSON.stringify(value);

/** The number that somebody wrote, with all of its digits, or nothing while it is none. */
export function numberIn(text: string): number | string | null {
  const written = text.trim();
  if (/^-?\d+$/.test(written)) return fromBigInt(BigInt(written));
  const number = Number(written);
  return written !== "" && Number.isFinite(number) ? number : null;
}
