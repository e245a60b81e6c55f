// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import type { Run } from "@/api/types";
import { RunHeader } from "./RunHeader";

type LinkProps = { to: string; search?: object; children?: never };

vi.mock("@tanstack/react-router", () => ({
  Link: ({ to, search, children }: LinkProps) =>
    createElement("a", { href: to, "data-search": JSON.stringify(search) }, children),
}));
vi.mock("../actions/RunActions", () => ({ RunActions: () => null }));
vi.mock("@/ui/domain/runs/runUsage", () => ({
  useElapsed: () => 0,
  timeUsed: () => ({ used: 0, most: 0, of: "" }),
  creditWords: () => "",
  cachedWords: () => "",
  elapsedWords: () => "",
}));
vi.mock("./UsageMeter", () => ({ UsageMeter: () => null }));
vi.mock("@/ui/domain/runs/RunStatusTag", () => ({ RunStatusTag: () => null }));

const run = {
  id: "r1",
  title: "Write the letter",
  status: "completed",
  autonomy: "full",
  limits: {},
  tokens: { input: 0, output: 0 },
  project_id: "atlas",
  clarification: { exchanges: 1, max_exchanges: 4 },
} as unknown as Run;

it("a run says how often it asked back, and leads to the runs of its project", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  const page = document.createElement("div");
  const root = createRoot(page);
  const header = createElement(RunHeader, { run, ref: null, away: false, onDecide: () => {} } as never);
  await act(() => root.render(createElement(MantineProvider, { env: "test" }, header)));
  expect(page.textContent).toContain("Asked back once (at most 4)");
  expect(page.querySelector("[data-search]")?.getAttribute("data-search")).toBe('{"project":"atlas"}');
  await act(() => root.unmount());
});
