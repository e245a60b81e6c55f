import { expect, it } from "vitest";
import { parseExactly } from "@/api/exactIntegers";
import type { Ask } from "@/api/types";
import { nextOrder, shapeOf, sorted } from "./columns";

const ask = (id: string, values: unknown, more: Partial<Ask> = {}): Ask =>
  ({ id, arguments: values, run_title: "r", agent_name: "a", context: null, ...more }) as Ask;

it("what all have in common stands once, what differs has a column", () => {
  const asks = [
    ask("1", { to: "x", order: { id: 1, note: "same" } }),
    ask("2", { to: "x", order: { id: 2, note: "same" } }, { run_title: "other" }),
  ];
  const { constant, columns } = shapeOf(asks);
  expect(constant).toEqual([
    ["to", "x"],
    ["order.note", "same"],
  ]);
  expect(columns.map(({ label }) => label)).toEqual(["order.id", "Run"]);
});

it("nothing hides: kinds of values, left out ones, names with dots and long numbers all count", () => {
  const differs = (one: unknown, other: unknown) => shapeOf([ask("1", one), ask("2", other)]).columns.length > 0;
  expect(differs({ a: 1 }, { a: "1" })).toBe(true);
  expect(differs({ a: null }, {})).toBe(true);
  expect(differs({ a: {} }, {})).toBe(true);
  expect(differs({ a: { b: 1 }, "a.b": 2 }, { a: { b: 2 }, "a.b": 1 })).toBe(true);
  expect(differs(parseExactly('{"a":12345678901234567890}'), parseExactly('{"a":12345678901234567891}'))).toBe(true);
  expect(differs({ a: [1] }, { a: [1] })).toBe(false);
});

it("the largest number comes first, then the smallest; what has none comes last", () => {
  const asks = [ask("1", { n: 9 }), ask("2", {}), ask("3", { n: 100 })];
  const { columns } = shapeOf(asks);
  const [column] = columns as [(typeof columns)[number]];
  const down = nextOrder(null, column, asks);
  expect(sorted(asks, columns, down).map(({ id }) => id)).toEqual(["3", "1", "2"]);
  expect(sorted(asks, columns, nextOrder(down, column, asks)).map(({ id }) => id)).toEqual(["1", "3", "2"]);
  expect(sorted(asks, columns, null)).toBe(asks);
});
