import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { cachedWords, timeUsed } from "./runUsage";

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

test("a run says how much of its input was cached", () => {
  expect(cachedWords({ tokens: { input: 1000, output: 10, cached: 750, cached_share: 0.75 } })).toBe(
    "75% of the input cached",
  );
  expect(cachedWords({ tokens: { input: 1000, output: 10, cached: 0, cached_share: 0 } })).toBe("none cached");
});
