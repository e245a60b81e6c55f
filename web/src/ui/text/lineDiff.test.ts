import { expect, it } from "vitest";
import { diffLines } from "./lineDiff";

const shown = (before: string, after: string) =>
  diffLines(before, after).map(
    ({ change, text }) => `${{ same: " ", added: "+", removed: "-", gap: "…" }[change]}${text}`,
  );

it("shows a changed line as removed and added", () => {
  expect(shown("a\nb\nc", "a\nB\nc")).toEqual([" a", "-b", "+B", " c"]);
});
it("finds lines that stayed between changes", () => {
  expect(shown("a\nb\nc\nd", "b\nc\nx\nd")).toEqual(["-a", " b", " c", "+x", " d"]);
});
it("leaves out what is far from a change", () => {
  const before = Array.from({ length: 20 }, (_, line) => `${line}`);
  const after = before.with(10, "new");
  expect(shown(before.join("\n"), after.join("\n"))).toEqual(["…", " 8", " 9", "-10", "+new", " 11", " 12", "…"]);
});
it("shows a value that is not text as replaced", () => {
  expect(shown("1", "2")).toEqual(["-1", "+2"]);
});
it("copes with texts that are too large to compare", () => {
  const big = (mark: string) => Array.from({ length: 3000 }, (_, line) => `${mark}${line}`).join("\n");
  expect(diffLines(big("a"), big("b"))).toHaveLength(6000);
});
