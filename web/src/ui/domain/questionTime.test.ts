import { expect, test } from "vitest";
import { QUESTION_TIMES, timesWith, waitingMinutes } from "./questionTime";

test("nothing chosen is nobody's word, and none is for ever", () => {
  expect(["", "none", "30"].map(waitingMinutes)).toEqual([null, "none", 30]);
});

test("a time that was set elsewhere is among the choices", () => {
  expect(timesWith("45").at(-1)).toEqual({ value: "45", label: "45 minutes" });
  expect(timesWith("30")).toBe(QUESTION_TIMES);
});
