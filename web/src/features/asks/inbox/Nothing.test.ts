// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import type { View } from "./inboxSearch";
import { Nothing } from "./Nothing";

it.each<[View | undefined, boolean]>([
  [undefined, true],
  ["waiting", false],
  ["decided", false],
])("an empty view %s says that all is decided: %s", async (view, says) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  const page = document.createElement("div");
  const root = createRoot(page);
  const props = { view, loading: false, failed: false, filtered: false, outcome: "A report" };
  await act(() => root.render(createElement(MantineProvider, null, createElement(Nothing, props))));
  expect(page.textContent?.includes("You're all caught up")).toBe(says);
  expect(page.textContent?.includes("A report")).toBe(says);
  await act(() => root.unmount());
});
