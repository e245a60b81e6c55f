import type { Change, Values } from "@/api/types";
import { valueText } from "@/ui/values/valueText";

/** What differs between two objects, name by name; objects inside are compared in turn. */
export function changesBetween(before: unknown, after: unknown, path = ""): Change[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changesBetween(before[name], after[name], path ? `${path}.${name}` : name));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return [{ path, change, original: before, modified: after }];
}

const SHORT = 24;

/** The changes in one line: `1 change: path a.md → b.md`. */
export function changeWords(changes: Change[]): string {
  const [first, ...more] = changes;
  if (!first) return "";
  const count = more.length === 0 ? "1 change" : `${changes.length} changes`;
  const name = first.path || "arguments";
  const values = [first.original, first.modified];
  const short =
    first.change === "changed" && values.every((value) => typeof value !== "object" && isShort(valueText(value)));
  const words = short ? values.map((value) => valueText(value)).join(" → ") : first.change;
  return `${count}: ${name} ${words}${more.length > 0 ? " …" : ""}`;
}

const isShort = (text: string): boolean => text.length <= SHORT && !text.includes("\n");

const isObject = (value: unknown): value is Values =>
  value !== null && typeof value === "object" && !Array.isArray(value);
