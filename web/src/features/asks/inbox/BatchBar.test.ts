// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Ask } from "@/api/types";
import { BatchBar } from "./BatchBar";
import { useSelection } from "./rowSelection";

vi.mock("./BatchDialog", () => ({
  default: ({ asks, decision }: { asks: Ask[]; decision: string }) => `${decision} ${asks.length} in the dialog`,
}));

const asks = (...ids: string[]) => ids.map((id) => ({ id, kind: "approval" }) as Ask);
let page: HTMLElement;
let root: Root;

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  page = document.createElement("div");
  root = createRoot(page);
});
afterEach(() => act(() => root.unmount()));

describe("ticked rows", () => {
  let selection: ReturnType<typeof useSelection>;
  const List = ({ listed }: { listed: Ask[] }) => {
    selection = useSelection(listed);
    return null;
  };
  const list = (...ids: string[]) => act(() => root.render(createElement(List, { listed: asks(...ids) })));

  it("add up, although a row that did not change ticks with what it was given first", async () => {
    await list("a", "b", "c");
    const { toggle } = selection;
    for (const id of ["a", "b", "c"]) act(() => toggle(id));
    expect(selection.selected).toEqual(new Set(["a", "b", "c"]));
    expect(selection.toggle).toBe(toggle);
    act(() => toggle("b"));
    expect(selection.selected).toEqual(new Set(["a", "c"]));
  });
  it("are never what needs an answer of its own", async () => {
    const listed = [...asks("a"), { id: "q", kind: "question" } as Ask];
    await act(() => root.render(createElement(List, { listed })));
    act(() => selection.select(new Set(["a", "q"])));
    expect(selection.selected).toEqual(new Set(["a"]));
  });
  it("count only while they are listed", async () => {
    await list("a", "b");
    act(() => selection.select(new Set(["a", "b"])));
    await list("b");
    expect(selection.selected).toEqual(new Set(["b"]));
  });
});

describe("the bar for many", () => {
  const on = { onSelect: () => {}, onDone: () => {} };
  const show = (listed: Ask[], ...ids: string[]) =>
    act(() =>
      root.render(
        createElement(
          MantineProvider,
          null,
          createElement(BatchBar, { asks: listed, more: true, selected: new Set(ids), ...on }),
        ),
      ),
    );
  const press = (key: string) => document.dispatchEvent(new KeyboardEvent("keydown", { key }));

  it("says that it selects what is loaded, and offers no approval for questions", async () => {
    await show([...asks("a", "b"), { id: "q", kind: "question" } as Ask], "a");
    expect(page.textContent).toContain("Select all 2 loaded");
  });
  it("does not turn an approval into a refusal while its dialog is loaded", async () => {
    await show(asks("a", "b"), "a", "b");
    await act(async () => {
      press("a");
      press("d");
    });
    await vi.waitFor(() => expect(page.textContent).toContain("approve 2 in the dialog"));
  });
  it("leaves its dialog open when what was selected is settled", async () => {
    await show(asks("a"), "a");
    await act(async () => press("a"));
    await show([]);
    expect(page.querySelector("[role=toolbar]")).toBeNull();
    expect(page.textContent).toContain("in the dialog");
  });
});
