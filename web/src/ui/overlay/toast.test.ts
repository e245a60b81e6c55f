// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { Problem } from "@/api/problems";

vi.mock("./ToastArea", () => {
  throw new TypeError("Failed to fetch dynamically imported module: /assets/Toasts-1.js");
});
vi.mock("@tanstack/react-router", () => ({
  Link: ({ params, children }: { params: { runId: string }; children: string }) =>
    createElement("a", { href: `/runs/${params.runId}` }, children),
}));
const { failed, ToastPlace } = await import("./toast");

it("what went wrong is said, also when the toasts themselves cannot be loaded", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  const page = document.createElement("div");
  const root = createRoot(page);
  await act(() => root.render(createElement(MantineProvider, null, createElement(ToastPlace))));
  await act(async () => {
    failed(new Error("The ask was settled by Ada."));
    await vi.waitFor(() => expect(page.textContent).toContain("The ask was settled by Ada."));
  });
  expect(page.querySelector("[role=alert]")?.textContent).toContain("Reload the page");
});

it("a run that does it already is one click away", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const page = document.createElement("div");
  const root = createRoot(page);
  await act(() => root.render(createElement(MantineProvider, null, createElement(ToastPlace))));
  await act(async () => {
    failed(new Problem(409, "It was resumed already.", "run_state", [], { run_id: "7" }));
    await vi.waitFor(() => expect(page.textContent).toContain("It was resumed already. Open that run"));
  });
  expect(page.querySelector("a")?.getAttribute("href")).toBe("/runs/7");
});
