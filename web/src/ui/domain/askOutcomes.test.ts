import { expect, it } from "vitest";
import { lateWords } from "./askOutcomes";

it("who came too late reads who was faster, and how", () => {
  const state = { status: "denied", settled_by: "ana@x.org", answer: { note: "Not today" } };
  expect(lateWords(state)).toBe("It was denied by ana@x.org before. “Not today”");
  expect(lateWords({})).toBeNull();
});
