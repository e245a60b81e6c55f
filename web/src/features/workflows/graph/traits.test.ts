import { expect, test } from "vitest";
import { traitsOf } from "./traits";

test("agents in a row are nothing special", () => {
  expect(
    traitsOf([
      { id: "a", agent: "one" },
      { id: "b", tool: "send_message" },
    ]),
  ).toEqual([]);
});

test("what a workflow shows is told once, however often it has it", () => {
  const steps = [
    { id: "a", agent: "one", checkpoint: "before" as const },
    { id: "b", agent: "one", checkpoint: { when: "after" }, each: "list" },
    { id: "c", workflow: "other", when: "a > 1" },
    { id: "d", workflow: "other" },
  ];
  expect(traitsOf(steps)).toEqual(["2 checkpoints", "A run for each item", "Conditions", "Starts other workflows"]);
  expect(traitsOf(steps.slice(0, 1))).toEqual(["1 checkpoint"]);
});
