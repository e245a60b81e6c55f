// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";

vi.mock("./ToastArea", () => {
  throw new TypeError("Failed to fetch dynamically imported module: /assets/Toasts-1.js");
});
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
