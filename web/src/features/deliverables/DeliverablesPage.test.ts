// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { api } from "@/api/client";
import { DeliverablesPage } from "./DeliverablesPage";

vi.mock("@tanstack/react-router", () => ({ Link: "a", useNavigate: () => () => {} }));
vi.mock("./DeliverableRow", () => ({ DeliverableRow: () => null }));

const made = (run: string) => ({ id: `of ${run}`, run_id: run, run_title: `Run ${run}`, name: "a.md", agent: "a" });

it("what was made stands under its run, and the run that waits for somebody stands on top and says so", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  const items = [made("at work"), made("waits")];
  vi.spyOn(api, "useInfiniteQuery").mockReturnValue({ isSuccess: true, data: { pages: [{ items }] } } as never);
  vi.spyOn(api, "useQuery").mockImplementation(((_: string, path: string, init: { params: { query: object } }) => {
    const waiting = JSON.stringify(init.params.query).includes("waiting_approval,waiting_input");
    return { data: { items: path === "/api/runs" && waiting ? [{ id: "waits" }] : [] } };
  }) as never);
  const page = document.createElement("div");
  const root = createRoot(page);
  const shown = createElement(DeliverablesPage, { filters: {} });
  await act(() => root.render(createElement(MantineProvider, { env: "test" }, shown)));
  const groups = [...page.querySelectorAll("section")];
  expect(groups.map((group) => group.getAttribute("aria-label"))).toEqual(["Run waits", "Run at work"]);
  expect(groups.map((group) => group.textContent?.includes("Waiting for someone"))).toEqual([true, false]);
  await act(() => root.unmount());
  vi.restoreAllMocks();
});
