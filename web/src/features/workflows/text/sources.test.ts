import { expect, it } from "vitest";
import { defaultOf, kindOf, sourceOf, textOf } from "./sources";

it.each([
  ["input.ticket.id"],
  [{ path: "steps.a.b", default: 3 }],
  [{ const: "three" }],
  [{ const: "3" }],
  [{ const: { a: [1, null] } }],
  [{ template: "items[].name" }],
])("%j is the same after it was shown and typed", (source) => {
  expect(sourceOf(kindOf(source), textOf(source), defaultOf(source))).toEqual(source);
});
