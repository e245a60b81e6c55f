// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { api, queries } from "@/api/client";
import ExpireOldDialog from "./ExpireOldDialog";

const WEEK = 7 * 24 * 3600;

it("it says how many wait for more than a week, and expires these when somebody confirms", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  const expire = vi.fn();
  vi.spyOn(api, "useQuery").mockReturnValue({ data: { total: 3 } } as never);
  vi.spyOn(api, "useMutation").mockImplementation(((_: string, path: string) => ({
    mutate: path === "/api/asks/expire" ? expire : undefined,
  })) as never);
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  const dialog = createElement(ExpireOldDialog, { onClose: () => {} });
  const provided = createElement(QueryClientProvider, { client: queries }, dialog);
  await act(() => root.render(createElement(MantineProvider, { env: "test" }, provided)));
  const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Expire 3");
  expect(expire).not.toHaveBeenCalled();
  await act(async () => button?.click());
  expect(expire).toHaveBeenCalledOnce();
  expect(Math.round(expire.mock.calls[0]?.[0].body.older_than_seconds / 60)).toBe(WEEK / 60);
  await act(() => root.unmount());
  vi.restoreAllMocks();
});
