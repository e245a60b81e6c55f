import { expect, it } from "vitest";
import type { Ask } from "../types";
import { withAsk, withoutAsk } from "./cachedLists";

it("a decided ask leaves the list", () => {
  const items = [
    { id: "a", status: "pending" },
    { id: "b", status: "denied" },
  ] as Ask[];
  const list = { pages: [{ items, total: 2 }], pageParams: [null] };
  expect(withoutAsk(list, "a")?.pages[0]).toMatchObject({ items: [{ id: "b" }], total: 1 });
  // Of what is decided it is just the place.
  expect(withoutAsk(list, "b")).toBeUndefined();
});

it("those that were alike count one less", () => {
  const alike = (id: string, likeness: string) => ({ id, likeness, similar: 1, status: "pending" }) as Ask;
  const items = [alike("a", "x"), alike("b", "x"), alike("c", "y")];
  const list = { pages: [{ items, total: 3 }], pageParams: [null] };
  expect(withoutAsk(list, "a")?.pages[0]?.items.map(({ similar }) => similar)).toEqual([0, 1]);
});

it("a changed ask takes its own place in a list", () => {
  const list = { pages: [{ items: [{ id: "a" }, { id: "b", digest: "old" }] as Ask[], total: 2 }], pageParams: [null] };
  expect(withAsk(list, { id: "b", digest: "new" } as Ask)?.pages[0]?.items[1]).toEqual({ id: "b", digest: "new" });
  expect(withAsk(list, { id: "c" } as Ask)).toBeUndefined();
});
