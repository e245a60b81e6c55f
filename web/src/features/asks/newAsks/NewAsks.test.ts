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
const toasts = vi.hoisted(() => ({ showToast: vi.fn(), hideToast: vi.fn() }));
vi.mock("@/ui/overlay/toast", () => toasts);
vi.mock("./NewAskToast", () => ({ NewAskToast: () => null }));
vi.mock("./NewAskDialog", () => ({ default: () => "A modal" }));

const ask = (id: string) => ({ id, run_id: "r1", kind: "question", status: "pending", blocking: true });

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
  await act(async () => read(ask("a1")));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(shown.textContent).toBe("");
  await act(() => root.unmount());
});

it("no modal opens over a card in which somebody has begun to decide", async () => {
  page.path = "/runs/r1";
  vi.spyOn(queries, "fetchQuery").mockResolvedValue(ask("a1") as never);
  document.body.innerHTML = '<article data-ask="a1"><button>Deny</button></article>';
  const shown = document.createElement("div");
  const root = createRoot(shown);
  await act(() => root.render(createElement(NewAsks)));
  const arrives = async () => {
    await act(async () => page.hear({ type: "ask.created", data: { ask: { id: "a1" } } }));
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  };
  document.querySelector("button")?.focus();
  await arrives();
  expect(shown.textContent).toBe("");
  document.querySelector("button")?.blur();
  await arrives();
  expect(shown.textContent).toBe("A modal");
  await act(() => root.unmount());
  document.body.innerHTML = "";
  vi.restoreAllMocks();
});

it("the toast of an ask stays until it is settled; only a third one takes the place of the oldest", async () => {
  page.path = "/agents";
  toasts.showToast.mockClear();
  toasts.hideToast.mockClear();
  vi.spyOn(queries, "fetchQuery").mockImplementation((({ queryKey }: { queryKey: unknown[] }) =>
    Promise.resolve(ask(["a1", "a2", "a3"].find((id) => JSON.stringify(queryKey).includes(id)) ?? ""))) as never);
  const root = createRoot(document.createElement("div"));
  await act(() => root.render(createElement(NewAsks)));
  const arrives = (id: string) => act(async () => page.hear({ type: "ask.created", data: { ask: { id } } }));
  await arrives("a1");
  await arrives("a2");
  await vi.waitFor(() => expect(toasts.showToast).toHaveBeenCalledTimes(2));
  for (const [toast] of toasts.showToast.mock.calls) expect(toast.autoClose).toBe(false);
  expect(toasts.hideToast).not.toHaveBeenCalled();
  await arrives("a3");
  await vi.waitFor(() => expect(toasts.hideToast.mock.calls).toEqual([["a1"]]));
  await act(async () => page.hear({ type: "ask.settled", data: { ask: { id: "a2" } } }));
  expect(toasts.hideToast).toHaveBeenLastCalledWith("a2");
  await act(() => root.unmount());
  vi.restoreAllMocks();
});
