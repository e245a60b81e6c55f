// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { SortChoice } from "./SortChoice";

it("without a head, a table says what a tick means and can be sorted", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  const page = document.createElement("div");
  const root = createRoot(page);
  const onOrder = vi.fn();
  const columns = [{ key: "arguments.amount", label: "amount", value: () => 1 }];
  const choice = createElement(SortChoice, { columns, order: null, ticks: true, onOrder });
  await act(() => root.render(createElement(MantineProvider, null, choice)));
  expect(page.textContent).toContain("Tick what you want to leave out.");
  const select = page.querySelector("select") as HTMLSelectElement;
  const choose = (text: string) =>
    act(() => {
      select.value = [...select.options].find(({ label }) => label === text)?.value ?? "none";
      select.dispatchEvent(new Event("change", { bubbles: true }));
    });
  await choose("Sort: Amount ↓");
  expect(onOrder).toHaveBeenLastCalledWith({ key: "arguments.amount", down: true });
  await choose("Sort: oldest first");
  expect(onOrder).toHaveBeenLastCalledWith(null);
  await act(() => root.unmount());
});
