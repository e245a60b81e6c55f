import { expect, it } from "vitest";
import { isFresh, mainOf } from "./mainOf";

const item = (name: string, type: string, minute: number, status: "final" | "archived" = "final") => ({
  name,
  type,
  status,
  created_at: `2026-01-01T10:0${minute}:00Z`,
});

it.each([
  ["the last text", [item("a", "markdown", 1), item("b", "markdown", 2), item("c", "csv", 3)], "b"],
  ["the last of all where there is no text", [item("a", "csv", 2), item("b", "json", 1)], "a"],
  ["not what was put away", [item("a", "markdown", 1), item("b", "markdown", 2, "archived")], "a"],
  ["nothing where there is nothing", [], undefined],
])("reads first %s", (_, items, name) => {
  expect(mainOf(items)?.name).toBe(name);
});

it("is fresh for half an hour", () => {
  const made = item("a", "markdown", 1);
  const at = Date.parse(made.created_at);
  expect([isFresh(made, at + 29 * 60_000), isFresh(made, at + 31 * 60_000)]).toEqual([true, false]);
});
