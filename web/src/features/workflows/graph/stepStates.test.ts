import { expect, it } from "vitest";
import type { StepStatus } from "@/api/workflows/workflows";
import { progressWords, shareDone } from "./stepStates";

const steps = (...all: StepStatus[]) => all.map((status) => ({ status }));

it("counts what is done and what was skipped", () => {
  expect(progressWords(steps("succeeded", "skipped", "running", "pending"))).toBe("2 of 4 steps");
  expect(progressWords(steps("failed"))).toBe("0 of 1 step");
  expect(shareDone(steps("succeeded", "failed"))).toBe(50);
  expect(shareDone([])).toBe(0);
});
