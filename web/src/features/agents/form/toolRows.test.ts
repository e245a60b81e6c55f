import { expect, test } from "vitest";
import { firstRows, rowsOf } from "./toolRows";

test("all tools of a connection are no tool that is missing", () => {
  const [all, gone] = rowsOf([], ["files__*", "gone"]);
  expect(all).toMatchObject({ description: "All tools of the connection files.", operation: "any" });
  expect(gone).toMatchObject({ description: "", operation: "" });
});

test("of a thousand tools the first are shown, and those that were given", () => {
  const rows = rowsOf(
    [],
    Array.from({ length: 1000 }, (_, number) => `t${number}`),
  );
  expect(firstRows(rows, 2, ["t900"]).map(({ name }) => name)).toEqual(["t0", "t1", "t900"]);
});
