import { expect, it } from "vitest";
import { linesOfDiff } from "./unifiedDiff";

it("a unified diff becomes lines that are added, removed or the same", () => {
  const diff = "--- a.md\n+++ a.md\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n@@ -9 +9 @@\n+nine";
  expect(linesOfDiff(diff)).toEqual([
    { change: "same", text: "one" },
    { change: "removed", text: "two" },
    { change: "added", text: "2" },
    { change: "gap", text: "" },
    { change: "added", text: "nine" },
  ]);
});
