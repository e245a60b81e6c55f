// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useTypedFilter } from "./useTypedFilter";

interface Filters {
  q?: string;
  status?: string;
}

let root: Root;
let filters: Filters;
let words: string;
let type: (words: string) => void;

function Search({ given }: { given: Filters }) {
  [words, type] = useTypedFilter(given.q, (q) => {
    filters = { ...given, q };
  });
  return null;
}

const show = () => act(() => root.render(createElement(Search, { given: filters })));
const write = (text: string) => act(() => type(text));
const pause = async (milliseconds: number) => {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds));
  await show();
};

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.useFakeTimers();
  filters = {};
  root = createRoot(document.createElement("div"));
  await show();
});
afterEach(async () => {
  await act(() => root.unmount());
  vi.useRealTimers();
});

it("a space before the next word stays", async () => {
  await write("foo ");
  await pause(300);
  expect([filters.q, words]).toEqual(["foo", "foo "]);
});

it("what is typed while the filter changes stays", async () => {
  await write("fo");
  await act(() => vi.advanceTimersByTimeAsync(300));
  await write("foo");
  await show();
  expect(words).toBe("foo");
});

it("what is chosen while somebody types stays chosen", async () => {
  await write("foo");
  filters = { status: "ended" };
  await pause(100);
  await pause(200);
  expect(filters).toEqual({ status: "ended", q: "foo" });
});

it("the words follow when they are changed elsewhere, also back to what was typed", async () => {
  await write("foo");
  await pause(300);
  for (const q of ["bar", "foo", undefined]) {
    filters = { q };
    await show();
    expect(words).toBe(q ?? "");
  }
});
