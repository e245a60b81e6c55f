// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import type { Ask } from "@/api/types";
import { ApproveBar } from "./ApproveBar";

vi.mock("@/api/me", () => ({
  useMe: () => ({ role: "admin", user: { id: "u", email: "me@x.org" } }),
}));
vi.mock("./DecisionBar", () => ({ DecisionBar: ({ children }: { children: unknown }) => children }));

const ask = { id: "a1", digest: "d1", may_decide: true, approvals: [], approvers: [], approvals_required: 1 };

it("a reason that was written is there again after Escape, and is no note of an approval", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  Object.defineProperty(document, "fonts", { value: new EventTarget() });
  const send = vi.fn();
  const answering = { send, pending: false, outgoing: undefined };
  const page = document.body.appendChild(document.createElement("div"));
  const root = createRoot(page);
  const bar = createElement(ApproveBar, { ask: ask as unknown as Ask, answering, shortcuts: false });
  await act(() => root.render(createElement(MantineProvider, null, bar)));
  const click = (label: string) =>
    act(() => [...page.querySelectorAll("button")].find(({ textContent }) => textContent === label)?.click());
  const field = () => page.querySelector("textarea:not([aria-hidden])") as HTMLTextAreaElement;
  await click("Deny");
  await act(() => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(field(), "Wrong month");
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
  await act(() => field().dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })));
  expect(field()).toBeNull();
  await click("Deny");
  expect(field().value).toBe("Wrong month");
  await click("Back");
  await click("Approve");
  expect(send).toHaveBeenCalledWith({ decision: "approve", note: null });
  await act(() => root.unmount());
});

it("the same key pressed twice does not approve the next ask unread", async () => {
  vi.useFakeTimers();
  const send = vi.fn();
  const answering = { send, pending: false, outgoing: undefined };
  const root = createRoot(document.createElement("div"));
  const show = (shortcuts: boolean, cameByItself: boolean) => {
    const bar = createElement(ApproveBar, { ask: ask as unknown as Ask, answering, shortcuts, cameByItself });
    return act(() => root.render(createElement(MantineProvider, null, bar)));
  };
  const press = () => act(() => document.dispatchEvent(new KeyboardEvent("keydown", { key: "a" })));
  // In a run it is there already, and becomes the one that keys are for.
  await show(false, true);
  await act(() => vi.advanceTimersByTime(5_000));
  await show(true, true);
  await press();
  expect(send).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTime(1_000));
  await press();
  expect(send).toHaveBeenCalledOnce();
  await show(true, false);
  await press();
  expect(send).toHaveBeenCalledTimes(2);
  await act(() => root.unmount());
  vi.useRealTimers();
});
