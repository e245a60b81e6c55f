import { expect, it } from "vitest";
import { changesBetween } from "./argumentChanges";

it("changes are found inside objects, lists are compared whole", () => {
  expect(changesBetween({ a: 1, b: { c: 2 }, d: [1] }, { b: { c: 3 }, d: [1, 2], e: 5 })).toEqual([
    { path: "a", change: "removed", original: 1, modified: undefined },
    { path: "b.c", change: "changed", original: 2, modified: 3 },
    { path: "d", change: "changed", original: [1], modified: [1, 2] },
    { path: "e", change: "added", original: undefined, modified: 5 },
  ]);
});
