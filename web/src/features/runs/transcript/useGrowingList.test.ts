// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import { useGrowingList } from "./growingList";

test("the items are the same ones as long as nothing changes", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const seen: unknown[] = [];
  const fetchPage = async () => ({ items: ["a"], next_cursor: null, total: 1 });
  const List = () => {
    seen.push(useGrowingList(["list"], { fetchPage, isSettled: () => true }, 1).items);
    return null;
  };
  const client = new QueryClient();
  const root = createRoot(document.createElement("div"));
  const render = () => root.render(createElement(QueryClientProvider, { client }, createElement(List)));
  await act(render);
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  const before = seen.at(-1);
  const renders = seen.length;
  await act(render);
  expect(before).toEqual(["a"]);
  expect(seen.length).toBeGreaterThan(renders);
  expect(seen.at(-1)).toBe(before);
  await act(() => root.unmount());
});
