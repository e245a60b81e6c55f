import { expect, it } from "vitest";
import { neighbour, nextAfter, type OpenAsks, seek } from "./openAsks";

it("the next ask is the one below, else the one above", () => {
  expect(nextAfter(["a", "b", "c"], "b")).toBe("c");
  expect(nextAfter(["a", "b", "c"], "c")).toBe("b");
  expect(nextAfter(["a"], "a")).toBeUndefined();
  expect(nextAfter(["a", "b"], "gone")).toBe("a");
});

it("a step from an ask that is gone goes on from its place", () => {
  expect(neighbour(["a", "b", "c"], "b", 1)).toBe("c");
  expect(neighbour(["a", "b", "c"], "a", -1)).toBe("a");
  expect(neighbour(["a", "c", "d"], "gone", 1, 1)).toBe("c");
  expect(neighbour(["a", "c", "d"], "gone", -1, 1)).toBe("a");
  expect(neighbour([], undefined, 1)).toBeUndefined();
});

it("a step from an ask that is not loaded yet reads on until it is", async () => {
  const page = (...ids: string[]) => ({ items: ids.map((id) => ({ id })) });
  const pages = [page("a", "b"), page("c", "d"), page("e", "f")];
  let read = 1;
  const list = () => ({ data: { pages: pages.slice(0, read) }, hasNextPage: read < pages.length, isError: false });
  const fetchNextPage = async () => {
    read += 1;
    return list();
  };
  const found = await seek({ ...list(), fetchNextPage } as unknown as OpenAsks, "d");
  expect(found.map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
});
