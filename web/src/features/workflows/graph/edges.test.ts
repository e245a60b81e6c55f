import { expect, it } from "vitest";
import type { RunStep } from "@/api/workflows/workflows";
import { dataWords, edgesOf } from "./edges";

it("says in a few words what a step handed on", () => {
  expect(dataWords({ ticket: 1, priority: 2, kind: 3 })).toBe("ticket, priority + 1");
  expect(dataWords([1, 2])).toBe("2 items");
  expect(dataWords("a short text")).toBe("a short text");
  expect(dataWords({})).toBeUndefined();
  expect(dataWords(null)).toBeUndefined();
});

it("moves where the next step runs, and names what came through", () => {
  const states = new Map<string, RunStep>([
    ["a", { id: "a", status: "succeeded", output: { found: 1 } }],
    ["b", { id: "b", status: "running" }],
  ]);
  expect(edgesOf([{ id: "a" }, { id: "b" }], states)).toMatchObject([
    { source: "a", target: "b", animated: true, label: "found" },
  ]);
  expect(edgesOf([{ id: "a" }, { id: "b" }])).toMatchObject([{ animated: false }]);
});
