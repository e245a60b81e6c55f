// @vitest-environment jsdom
import { act, createElement, useRef } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useScrollFollow } from "./useScrollFollow";

const VIEW = 800;
let page: HTMLElement;
let root: Root;
let height = 0;
let grown = () => {};

function Thread({ live }: { live: boolean }) {
  const list = useRef<HTMLDivElement>(null);
  useScrollFollow(list, { ready: true, live, whole: true });
  return createElement("div", { ref: list });
}

/** The page is drawn, first with little of it, then with all. */
async function open(live: boolean) {
  height = VIEW / 2;
  await act(() => root.render(createElement(Thread, { live })));
  await act(() => grown());
  height = VIEW * 5;
  await act(() => grown());
}

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(look: () => void) {
        grown = look;
      }
      observe() {}
      disconnect() {}
    },
  );
  page = document.body.appendChild(document.createElement("main"));
  page.id = "main";
  Object.defineProperty(page, "scrollHeight", { get: () => height });
  Object.defineProperty(page, "clientHeight", { value: VIEW });
  root = createRoot(page.appendChild(document.createElement("div")));
});
afterEach(async () => {
  await act(() => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});

it("a run that has ended opens at its top, however short the page was while it loaded", async () => {
  await open(false);
  expect(page.scrollTop).toBe(0);
});

it("a run that is under way opens at its end", async () => {
  await open(true);
  expect(page.scrollTop).toBeGreaterThan(0);
});
