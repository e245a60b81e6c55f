import { expect, it } from "vitest";
import { pausedSince } from "./pausedSince";

it("says the day of a pause that did not begin today", () => {
  const at = new Date(2026, 4, 3, 10, 12);
  const time = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  expect(pausedSince(at.toISOString(), new Date(2026, 4, 3, 23))).toBe(time);
  expect(pausedSince(at.toISOString(), new Date(2026, 4, 4, 9))).toMatch(new RegExp(`3.*, ${time}$`));
});
