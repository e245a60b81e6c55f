import type { Part } from "../ruleText/readRules";

export const part = (value: unknown): Part => (value !== null && typeof value === "object" ? (value as Part) : {});
export const many = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
export const words = (value: unknown, between: string): string => many(value).map(String).join(` ${between} `);
export const plain = (value: unknown): string => String(value).replaceAll("_", " ");
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** An empty list is no condition. */
export const isGiven = (value: unknown): boolean => many(value).length > 0;

const UNITS: [seconds: number, name: string][] = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
  [1, "second"],
];

/** `1 hour 30 minutes`: nothing is left out. */
export function durationWords(seconds: unknown): string {
  let left = Number(seconds);
  const said: string[] = [];
  for (const [size, name] of UNITS) {
    const count = size === 1 ? left : Math.floor(left / size);
    if (count > 0) said.push(`${count} ${name}${count === 1 ? "" : "s"}`);
    left -= count * size;
  }
  return said.join(" ");
}
