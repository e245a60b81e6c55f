import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { timeUsed } from "./runUsage";

const run = (limits: object) => ({ working_seconds: 90, limits }) as unknown as Run;

test("waiting for a person is not counted as working time", () => {
  const { used, of } = timeUsed(run({ max_duration_hours: 4 }), 7200);
  expect({ used, of }).toEqual({ used: 90, of: "of 4h working time" });
});

test("where waiting counts, all the time counts", () => {
  expect(timeUsed(run({ max_duration_hours: 4, waiting_counts: true }), 7200)).toEqual({
    used: 7200,
    most: 14_400,
    of: "of 4h",
  });
});
