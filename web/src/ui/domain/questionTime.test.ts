import { expect, test } from "vitest";
import { QUESTION_TIMES, timesWith, waitingMinutes } from "./questionTime";

test("nothing chosen is nobody's word, and none is for ever", () => {
  expect(["", "none", "30"].map(waitingMinutes)).toEqual([null, "none", 30]);
});

test("a time that was set elsewhere is among the choices", () => {
  expect(timesWith("45", "As the workspace").at(-1)).toEqual({ value: "45", label: "45 minutes" });
  expect(timesWith("30", "30 minutes (the default)")).toEqual(QUESTION_TIMES);
});

test("the default is not offered twice", () => {
  const offered = timesWith("", "30 minutes (the default)").map(({ value }) => value);
  expect(offered).toEqual(QUESTION_TIMES.map(({ value }) => value).filter((value) => value !== "30"));
});
