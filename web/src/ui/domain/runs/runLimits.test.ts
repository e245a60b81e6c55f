import { expect, test } from "vitest";
import { limitProblem, limitsGiven, limitWords } from "./runLimits";

test("limits are told in one sentence", () => {
  const own = { max_duration_hours: 4, max_cost_credits: 100, max_iterations: 500, waiting_counts: false };
  expect(limitWords(own)).toBe(
    "It stops after 4 hours of work, 100 credits or 500 steps, whichever comes first, and keeps everything. Waiting for people does not count.",
  );
  expect(limitWords({ ...own, max_duration_hours: 0 })).toContain("It stops after 100 credits or 500 steps");
  expect(limitWords({ ...own, max_cost_credits: 0 })).toContain(
    "It stops after 4 hours of work or 500 steps, whichever",
  );
  expect(limitWords(own, { hours: "0", credits: "0", iterations: "" })).toBe(
    "It stops after 500 steps and keeps everything.",
  );
  expect(limitWords(own, { hours: "1", credits: "", iterations: "20" })).toContain(
    "1 hour of work, 100 credits or 20 steps",
  );
});

test("only what was typed is sent", () => {
  expect(limitsGiven({ hours: "", credits: "", iterations: "" })).toBeNull();
  expect(limitsGiven({ hours: "0.5", credits: "", iterations: "10" })).toEqual({
    max_duration_hours: 0.5,
    max_iterations: 10,
  });
});

test("what does not fit is said beside the field", () => {
  expect(limitProblem("hours", "25")).toBe("From 0 to 24");
  expect(limitProblem("iterations", "1.5")).toBe("A whole number");
  expect(limitProblem("credits", "")).toBeUndefined();
});
