import { expect, it } from "vitest";
import { linesWithin } from "./DiffLines";

it("lines are drawn up to a bound, be they many lines or one long one", () => {
  const lines = Array.from({ length: 30_000 }, () => ({ change: "added" as const, text: "x" }));
  expect(linesWithin(lines, 1000)).toHaveLength(500);
  expect(linesWithin(lines, 60_000)).toEqual(lines);
  expect(linesWithin([{ change: "added", text: "x".repeat(1e6) }], 1000)[0]?.text).toHaveLength(1000);
});
