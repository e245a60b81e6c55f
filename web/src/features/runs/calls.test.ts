import { expect, test } from "vitest";
import { took } from "./calls";

test("a call's time is told in the unit that fits", () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
  expect(took({ started_at: at(0), ended_at: at(0.012) })).toBe("12 ms");
  expect(took({ started_at: at(0), ended_at: at(3.4) })).toBe("3s");
  expect(took({ started_at: at(0), ended_at: at(130) })).toBe("2m");
  expect(took({ started_at: at(0), ended_at: null })).toBe("");
});
