import { describe, expect, it } from "vitest";
import { stepCount, stepEnd, took } from "./stepWords";

const step = { tool: "write_file", headline: "Write a.md", status: "succeeded" as const, seconds: 130, ended_at: "" };

describe("the steps before an ask", () => {
  it("counts those that are not listed, too", () => {
    expect(stepCount({ items: [step], earlier: 0, seconds: 1 })).toBe("1 step");
    expect(stepCount({ items: [step, step], earlier: 10, seconds: 1 })).toBe("12 steps");
  });

  it.each([
    [0.4, "0 s"],
    [59, "59 s"],
    [130, "2 min 10 s"],
    [7300, "2h 1m"],
  ])("takes %s seconds", (seconds, words) => expect(took(seconds)).toBe(words));

  it("says how a step ended unless it ended well", () => {
    expect(stepEnd(step)).toBe("2 min 10 s");
    expect(stepEnd({ ...step, status: "denied" })).toBe("denied, 2 min 10 s");
  });
});
