// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { lostField } from "./lostField";
import { useShortcutKeys } from "./useShortcutKeys";

const approve = vi.fn();
let root: Root;
let unfollow: () => void;

function Page() {
  useShortcutKeys({ a: approve });
  return null;
}

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.useFakeTimers({ toFake: ["performance"] });
  approve.mockClear();
  unfollow = lostField.follow(document);
  root = createRoot(document.createElement("div"));
  await act(() => root.render(createElement(Page)));
});
afterEach(async () => {
  await act(() => root.unmount());
  unfollow();
  document.body.replaceChildren();
  vi.useRealTimers();
});

function press(key: string, init: KeyboardEventInit = {}): boolean {
  const target = document.activeElement ?? document.body;
  return target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }));
}
const wait = (ms: number) => vi.advanceTimersByTime(ms);

function typing(html = "<textarea></textarea>"): HTMLElement {
  document.body.innerHTML = html;
  const field = document.body.firstElementChild as HTMLElement;
  field.focus();
  press("j");
  wait(3_000);
  return field;
}

function focusTitle(): void {
  const title = document.body.appendChild(document.createElement("h2"));
  title.tabIndex = -1;
  title.focus();
}

it.each<[string, (field: HTMLElement) => void]>([
  ["is taken out of the page", (field) => field.remove()],
  ["is taken out with the dialog around it", () => document.body.replaceChildren()],
  [
    "is disabled",
    (field) => {
      field.setAttribute("disabled", "");
      focusTitle();
    },
  ],
  [
    "gives the focus to what comes in its place",
    (field) => {
      field.remove();
      focusTitle();
    },
  ],
])("letters typed on decide nothing when the field %s", async (_, lose) => {
  lose(typing());
  // As long as they come without a pause.
  for (const key of "jade and jam today") {
    press(key);
    wait(300);
  }
  expect(approve).not.toHaveBeenCalled();
  wait(2_000);
  press("a");
  expect(approve).toHaveBeenCalledOnce();
});

it("whoever paused while they wrote has as long from the moment that the field went", async () => {
  const field = typing();
  wait(60_000);
  field.remove();
  await Promise.resolve();
  wait(1_900);
  press("a");
  expect(approve).not.toHaveBeenCalled();
});

it.each<[string, () => void]>([
  ["a click", () => document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }))],
  ["Tab", () => press("Tab")],
  ["Escape", () => press("Escape")],
])("%s says that the next key is meant", (_, act) => {
  typing().remove();
  act();
  press("a");
  expect(approve).toHaveBeenCalledOnce();
});

it.each<[string, string, KeyboardEventInit, boolean]>([
  ["Escape", "<textarea></textarea>", {}, true],
  ["Enter", "<textarea></textarea>", { ctrlKey: true }, true],
  ["Enter", "<input>", {}, true],
  ["Enter", "<textarea></textarea>", {}, false],
  ["Tab", "<textarea></textarea>", {}, false],
])("whoever ended the field with %s in %s %o goes on by key: %s", (key, html, init, goesOn) => {
  const field = typing(html);
  press(key, init);
  field.remove();
  press("a");
  expect(approve).toHaveBeenCalledTimes(goesOn ? 1 : 0);
});

it("a space typed on presses no button that got the focus instead", () => {
  typing().remove();
  document.body.innerHTML = "<button>Approve</button>";
  document.body.querySelector("button")?.focus();
  expect(press(" ")).toBe(false);
  wait(2_000);
  expect(press(" ")).toBe(true);
});
