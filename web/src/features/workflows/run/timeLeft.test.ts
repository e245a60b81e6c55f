import { expect, it } from "vitest";
import { timeLeft } from "./timeLeft";

it("goes by what is usual, not by what was once", () => {
  expect(timeLeft([10, 12, 600], 4)).toBe(8);
});
it("says nothing where it cannot know", () => {
  expect(timeLeft([], 4)).toBeNull();
  expect(timeLeft([10], 12)).toBeNull();
});
