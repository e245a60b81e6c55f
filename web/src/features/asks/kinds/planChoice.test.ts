import { describe, expect, it } from "vitest";
import { choiceOf, edited, planLabel, type Step, stepsToSend, toggled, WHOLE } from "./planChoice";

describe("a plan", () => {
  const steps = ["1", "2", "3"].map((id) => ({ id, tool: "write_file", arguments: { path: id } })) as unknown as Step[];
  const [one] = steps as [Step];

  it("is sent without steps when all of them stay as they are", () => {
    expect(stepsToSend(steps, WHOLE)).toBeUndefined();
    expect(planLabel(steps, WHOLE)).toBe("Approve all 3 steps");
  });
  it("names the steps that stay", () => {
    const choice = toggled(WHOLE, "2");
    expect(stepsToSend(steps, choice)).toEqual(["1", "3"]);
    expect(planLabel(steps, choice)).toBe("Approve 2 of 3 steps");
    expect(stepsToSend(steps, toggled(choice, "2"))).toBeUndefined();
  });
  it("carries other arguments", () => {
    const choice = edited(WHOLE, one, { path: "x" });
    expect(stepsToSend(steps, choice)).toEqual([{ id: "1", arguments: { path: "x" } }, "2", "3"]);
    expect(edited(choice, one, { path: "1" })).toEqual(WHOLE);
  });
  it("is chosen again from what was sent", () => {
    const choice = edited(toggled(WHOLE, "2"), one, { path: "x" });
    expect(choiceOf(steps, stepsToSend(steps, choice))).toEqual(choice);
    expect(choiceOf(steps, undefined)).toEqual(WHOLE);
  });
  it("cannot be approved without a step", () => {
    const none = steps.reduce((choice, { id }) => toggled(choice, id), WHOLE);
    expect(planLabel(steps, none)).toBe("Choose a step");
  });
});
