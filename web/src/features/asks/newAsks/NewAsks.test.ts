// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { queries } from "@/api/client";
import { NewAsks } from "./NewAsks";

type Listener = (event: { type: string; data: unknown }) => void;

const page = vi.hoisted(() => ({ path: "/runs/r1", hear: (() => {}) as Listener }));
vi.mock("@tanstack/react-router", () => ({ useRouterState: () => page.path }));
vi.mock("@/api/live/useLive", () => ({
  onEvent: (listener: Listener) => {
    page.hear = listener;
    return () => {};
  },
}));
vi.mock("./NewAskToast", () => ({ NewAskToast: () => null }));
vi.mock("./NewAskDialog", () => ({ default: () => "A modal" }));

it("no modal opens over the page to which somebody went while the ask was read", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  Object.defineProperty(document, "hidden", { value: false });
  let read = (_: unknown) => {};
  const reading = new Promise((resolve) => {
    read = resolve;
  });
  vi.spyOn(queries, "fetchQuery").mockReturnValue(reading as never);
  const shown = document.createElement("div");
  const root = createRoot(shown);
  const render = () => act(() => root.render(createElement(NewAsks)));
  await render();
  page.hear({ type: "ask.created", data: { ask: { id: "a1" } } });
  page.path = "/inbox";
  await render();
  await act(async () => read({ id: "a1", run_id: "r1", kind: "question", status: "pending", blocking: true }));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(shown.textContent).toBe("");
  await act(() => root.unmount());
});
