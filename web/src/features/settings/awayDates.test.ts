import { expect, it } from "vitest";
import { dayAfter, endOf, startOf } from "./awayDates";

it("a day is whole, where the reader is", () => {
  expect(dayAfter(1, new Date(2026, 0, 31, 23))).toBe("2026-02-01");
  expect(Date.parse(endOf("2026-02-01")) - Date.parse(startOf("2026-02-01") ?? "")).toBe(86_399_000);
  expect(startOf("")).toBeNull();
});
