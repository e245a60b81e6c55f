import { expect, test } from "vitest";
import type { Page } from "@/api/types";
import { type Grown, grow } from "./growingList";

interface Item {
  id: number;
  done: boolean;
}

/** A server with pages of two. */
function server(items: Item[]) {
  const asked: (string | null)[] = [];
  const fetchPage = async (cursor: string | null): Promise<Page<Item>> => {
    asked.push(cursor);
    const from = Number(cursor ?? 0);
    const more = from + 2 < items.length;
    return { items: items.slice(from, from + 2), next_cursor: more ? String(from + 2) : null, total: items.length };
  };
  return { asked, growing: { fetchPage, isSettled: (item: Item) => item.done } };
}

const items = (...done: boolean[]): Item[] => done.map((each, id) => ({ id, done: each }));
const ids = ({ pages }: Grown<Item>) => pages.flatMap((page) => page.items.map(({ id }) => id));

test("only the pages that are wanted are read", async () => {
  const { asked, growing } = server(items(true, true, true, true, true));
  expect(ids(await grow(undefined, growing, 1))).toEqual([0, 1]);
  expect(asked).toEqual([null]);
});

test("all pages are read one after the other, and shown as they come", async () => {
  const { growing } = server(items(true, true, true, true, true));
  const seen: number[] = [];
  const grown = await grow(undefined, growing, Number.POSITIVE_INFINITY, (soFar) => seen.push(ids(soFar).length));
  expect(ids(grown)).toEqual([0, 1, 2, 3, 4]);
  expect(seen).toEqual([2, 4, 5]);
});

test("settled pages are kept, the last one is read again", async () => {
  const all = items(true, true, true);
  const { asked, growing } = server(all);
  const before = await grow(undefined, growing, 9);
  all.push({ id: 3, done: true }, { id: 4, done: true });
  asked.length = 0;
  expect(ids(await grow(before, growing, 9))).toEqual([0, 1, 2, 3, 4]);
  expect(asked).toEqual(["2", "4"]);
});

test("a page with something unsettled is read again", async () => {
  const all = items(true, false, true, true, true);
  const { asked, growing } = server(all);
  const before = await grow(undefined, growing, 9);
  all[1] = { id: 1, done: true };
  asked.length = 0;
  const after = await grow(before, growing, 1);
  expect(after.pages[0]?.items[1]?.done).toBe(true);
  expect(ids(after)).toEqual([0, 1, 2, 3, 4]);
  expect(asked).toEqual([null, "2", "4"]);
});
