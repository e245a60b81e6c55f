import { expect, it } from "vitest";
import type { StepStatus } from "@/api/workflows/workflows";
import { failedNames, isResumable, progressWords, shareDone } from "./stepStates";

const steps = (...all: StepStatus[]) => all.map((status) => ({ status }));

it("counts what is done and what was skipped", () => {
  expect(progressWords(steps("succeeded", "skipped", "running", "pending"))).toBe("2 of 4 steps");
  expect(progressWords(steps("failed"))).toBe("0 of 1 step");
  expect(shareDone(steps("succeeded", "failed"))).toBe(50);
  expect(shareDone([])).toBe(0);
});

it("is taken up again where something is done that would be done twice", () => {
  expect(isResumable([{ status: "failed", run_id: "r" }])).toBe(false);
  expect(isResumable([{ status: "succeeded" }, { status: "failed" }])).toBe(true);
  expect(isResumable([{ status: "failed", runs: [{ index: 0, run_id: null }] }])).toBe(false);
  expect(isResumable([{ status: "failed", runs: [{ index: 0, run_id: "r" }] }])).toBe(true);
  expect(isResumable([{ status: "failed", workflow: "inner", run_id: "r" }])).toBe(true);
  // What was done waited for a person to look at it.
  expect(isResumable([{ status: "cancelled", run_id: "r", ask_id: "a" }])).toBe(true);
  expect(isResumable([{ status: "cancelled", ask_id: "a" }])).toBe(false);
});

it("names the steps that it went on without", () => {
  const rows = [
    { id: "a", status: "succeeded" },
    { id: "b", name: "Send", status: "failed" },
    { id: "c", status: "failed" },
  ] as const;
  expect(failedNames([...rows])).toBe("Send, c");
});
