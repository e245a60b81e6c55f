// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import type { Ask } from "@/api/types";
import NewAskDialog from "./NewAskDialog";

vi.mock("../detail/AskDetail", () => ({
  AskDetail: () => createElement("button", { type: "button" }, "Approve"),
}));

it("the title of an ask that opens by itself has the focus: no key decides or closes it by accident", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  const modal = createElement(NewAskDialog, { ask: { id: "a1", kind: "question" } as Ask, onClose: () => {} });
  await act(() => root.render(createElement(MantineProvider, { env: "test" }, modal)));
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe("Question for this run"));
  await act(() => root.unmount());
});
