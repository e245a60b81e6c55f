// @vitest-environment jsdom
import { MantineProvider, Modal } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { useDiscardQuestion } from "./useDiscardQuestion";

const closed = vi.fn();

function Dialog({ unsaved }: { unsaved: boolean }) {
  const discard = useDiscardQuestion(closed);
  discard.unsaved.current = unsaved;
  return createElement(Modal, { opened: true, title: "A form", ...discard.modal }, discard.question);
}

const press = (key: string) =>
  act(async () => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
const click = (name: string) =>
  act(async () => {
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click();
  });
const asks = () => document.body.textContent?.includes("Discard what you wrote?");

it("Escape asks before what was written is lost, and answers that by itself", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  const draw = (unsaved: boolean) =>
    act(() => root.render(createElement(MantineProvider, { env: "test" }, createElement(Dialog, { unsaved }))));
  await draw(true);
  await press("Escape");
  expect([asks(), closed.mock.calls.length]).toEqual([true, 0]);
  await press("Escape");
  expect([asks(), closed.mock.calls.length]).toEqual([false, 0]);
  await press("Escape");
  await click("Discard");
  expect(closed).toHaveBeenCalledTimes(1);
  await click("Keep writing");
  await draw(false);
  await press("Escape");
  expect([asks(), closed.mock.calls.length]).toEqual([false, 2]);
  await act(() => root.unmount());
});
