import { describe, expect, it } from "vitest";
import { parseExactly } from "@/api/exactIntegers";
import { changeWords } from "./argumentChanges";
import { linesOf } from "./ChangeList";

describe("edited arguments", () => {
  it("show texts line by line and other values whole", () => {
    expect(linesOf({ path: "a", change: "changed", original: "x\ny", modified: "x\nz" })).toHaveLength(3);
    expect(linesOf({ path: "a", change: "added", original: null, modified: { b: 1 } })).toEqual([
      { change: "added", text: '{\n  "b": 1\n}' },
    ]);
  });
});

it("a large integer is read as its digits", () => {
  const digits = "12345678901234567890";
  const exact = parseExactly(digits);
  const change = { path: "to", change: "changed" as const, original: { account: 1 }, modified: { account: exact } };
  expect(linesOf(change).map(({ text }) => text)).toContain(`  "account": ${digits}`);
  expect(changeWords([{ ...change, original: 1, modified: exact }])).toBe(`1 change: to 1 → ${digits}`);
});
