// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Layer, useOverlay } from "./useOverlay";
import { useShortcutKeys } from "./useShortcutKeys";

const approve = vi.fn();
let overlay: ReturnType<typeof useOverlay<"palette">>;
let root: Root;

function Page() {
  useShortcutKeys({ a: approve });
  overlay = useOverlay<"palette">();
  return null;
}

const press = (init: KeyboardEventInit = {}) =>
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "a", ...init }));

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  approve.mockClear();
  root = createRoot(document.createElement("div"));
  await act(() => root.render(createElement(Page)));
});
afterEach(async () => {
  await act(() => root.unmount());
  document.body.replaceChildren();
});

it("a key acts on the page", () => {
  press();
  expect(approve).toHaveBeenCalledOnce();
});

it("a closed list of suggestions covers nothing", () => {
  const element = document.body.appendChild(document.createElement("div"));
  element.setAttribute("role", "listbox");
  element.checkVisibility = () => false;
  press();
  expect(approve).toHaveBeenCalledOnce();
});

it.each(["dialog", "menu", "listbox"])("no key acts behind a %s", (role) => {
  const element = document.body.appendChild(document.createElement("div"));
  element.setAttribute("role", role);
  press();
  expect(approve).not.toHaveBeenCalled();
});

it("a key acts in a dialog that takes it, but not behind what lies over that", async () => {
  const over = () => document.body.appendChild(document.createElement("div")).setAttribute("role", "dialog");
  over();
  await act(() => root.render(createElement(Layer.Provider, { value: 1 }, createElement(Page))));
  press();
  expect(approve).toHaveBeenCalledOnce();
  over();
  press();
  expect(approve).toHaveBeenCalledOnce();
});

it("no key acts from the moment that something is asked for, until it is closed", () => {
  act(() => {
    overlay.open("palette");
    // What was asked for is not drawn yet.
    press();
  });
  press();
  expect(approve).not.toHaveBeenCalled();
  act(() => overlay.close());
  press();
  expect(approve).toHaveBeenCalledOnce();
});

it("a key that composes a letter is no command", () => {
  press({ isComposing: true });
  expect(approve).not.toHaveBeenCalled();
});
