// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from "vitest";
import type { Ask } from "@/api/types";
import { outbox } from "../outbox/useOutbox";
import { DecideRest } from "./DecideRest";
import { type Look, useLook } from "./useLook";

vi.mock("@/api/me", () => ({
  useMe: () => ({ role: "approver", user: { id: "b", email: "bob@x.org" }, workspace: { id: "w" } }),
}));

const first = {
  id: "1",
  kind: "approval",
  tool: "refund",
  agent_name: "Refund bot",
  may_decide: true,
  may_refuse: true,
};
let add: MockInstance<typeof outbox.add>;
let look: Look;
let root: Root;

function Table({ cameByItself }: { cameByItself: boolean }) {
  look = useLook(cameByItself, true);
  const rest = [first as unknown as Ask];
  const props = { first: rest[0] as Ask, rest, exceptions: 0, ready: true, likeness: "l" };
  return createElement(DecideRest, { ...props, look, onDecided: look.startAgain });
}

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.useFakeTimers();
  add = vi.spyOn(outbox, "add").mockImplementation(() => {});
  root = createRoot(document.createElement("div"));
});
afterEach(async () => {
  await act(() => root.unmount());
  vi.useRealTimers();
  add.mockRestore();
  vi.unstubAllGlobals();
});

const show = (cameByItself: boolean) =>
  act(() => root.render(createElement(MantineProvider, null, createElement(Table, { cameByItself }))));
const press = () => act(() => document.dispatchEvent(new KeyboardEvent("keydown", { key: "a" })));
const wait = () => act(() => vi.advanceTimersByTime(1_000));

it("a table that somebody opened is approved by one key, and says whose they were", async () => {
  await show(false);
  await press();
  expect(add).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ words: "Approved 1 of Refund bot" }));
});

it("a table that came by itself waits until it could be read and somebody moved in it", async () => {
  await show(true);
  await press();
  await wait();
  await press();
  expect(add).not.toHaveBeenCalled();
  await act(() => look.begin());
  await press();
  expect(add).toHaveBeenCalledOnce();
});

it("moving in it is not enough before anybody can have read it", async () => {
  await show(true);
  await act(() => look.begin());
  await press();
  expect(add).not.toHaveBeenCalled();
});

it("the exceptions that are left are not approved by the same key", async () => {
  await show(false);
  await press();
  await press();
  await wait();
  await press();
  expect(add).toHaveBeenCalledOnce();
});
