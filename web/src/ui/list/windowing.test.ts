import { expect, it } from "vitest";
import { spanOf } from "./windowing";

it("only rows near the window are shown", () => {
  expect(spanOf(0, 600, 60, 10_000)).toEqual({ first: 0, end: 22 });
  expect(spanOf(120_000, 600, 60, 10_000)).toEqual({ first: 1988, end: 2022 });
  expect(spanOf(0, 600, 60, 3)).toEqual({ first: 0, end: 3 });
  expect(spanOf(6000, 600, 60, 0)).toEqual({ first: 0, end: 0 });
});
