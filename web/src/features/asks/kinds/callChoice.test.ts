import { expect, it } from "vitest";
import { batchToSend, leftIn, withoutEdits } from "./callChoice";

it("a batch has null where a call is left out", () => {
  expect(batchToSend(["a", "b"], new Set())).toBeUndefined();
  expect(batchToSend(["a", "b"], new Set([0]))).toEqual({ calls: [null, "b"] });
});

it("a batch is ticked again from what was sent, unless calls were changed", () => {
  const calls = ["a", null, "c"];
  expect(leftIn(calls, batchToSend(calls, new Set([2])))).toEqual(new Set([2]));
  expect(leftIn(calls, undefined)).toEqual(new Set());
  expect(leftIn(calls, { calls: ["b", null, "c"] })).toBeNull();
});

it("a batch without its edits keeps what was left out", () => {
  const calls = ["a", "b", null];
  expect(withoutEdits(calls, { calls: ["changed", null, null] })).toEqual({ calls: ["a", null, null] });
  expect(withoutEdits(calls, { calls: ["changed", "b", null] })).toBeNull();
  expect(withoutEdits(calls, null)).toBeNull();
});
