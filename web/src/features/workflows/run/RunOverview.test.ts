// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { type NodeProps, ReactFlowProvider } from "@xyflow/react";
import { act, createElement, type FunctionComponent, type ReactElement } from "react";
import { createRoot } from "react-dom/client";
import { beforeEach, expect, it, vi } from "vitest";
import type { Run } from "@/api/types";
import type { RunStep } from "@/api/workflows/workflows";
import { type StepFlowNode, StepNode } from "../canvas/StepNode";
import { RunOverview } from "./RunOverview";

type LinkProps = { to: string; params: { askId?: string }; children?: never };

vi.mock("@tanstack/react-router", () => ({
  useNavigate: () => () => {},
  Link: ({ to, params, children }: LinkProps) =>
    createElement("a", { href: to.replace("$askId", params.askId ?? "") }, children),
}));
vi.mock("@/api/agentNames", () => ({ useAgentNames: () => (slug: string) => slug }));
vi.mock("@/api/workflows/workflowNames", () => ({ useWorkflowNames: () => (slug: string) => slug }));
vi.mock("@/api/client", () => ({ api: { useQuery: () => ({}) } }));
vi.mock("@/ui/domain/runs/runUsage", () => ({ useTimeUsed: () => 0 }));

const waiting: RunStep = { id: "mail", name: "Send it", status: "waiting", waits_for: "a1" };
const run = { id: "r1", kind: "workflow", status: "running", limits: {} } as unknown as Run;

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
});

async function linksOf(element: ReactElement): Promise<string[]> {
  const place = document.createElement("div");
  const root = createRoot(place);
  await act(() => root.render(createElement(MantineProvider, { env: "test" }, element)));
  const links = [...place.querySelectorAll("a")].map((link) => `${link.textContent} ${link.getAttribute("href")}`);
  await act(() => root.unmount());
  return links;
}

it("the node of a step leads to what its own call asks", async () => {
  const Shown = StepNode as unknown as FunctionComponent<Partial<NodeProps<StepFlowNode>>>;
  const data = { step: { id: "mail", tool: "send_email" }, problems: [], state: waiting };
  const node = createElement(Shown, { id: "mail", data });
  expect(await linksOf(createElement(ReactFlowProvider, null, node))).toEqual(["Answer what it asks /asks/a1"]);
});

it("a run leads to what any of its steps waits for, until it has ended", async () => {
  const steps = [waiting, { id: "done", status: "succeeded" as const }];
  expect(await linksOf(createElement(RunOverview, { run, steps }))).toEqual(["Decide /asks/a1"]);
  const two = [...steps, { ...waiting, id: "pay", name: null, waits_for: "a2" }];
  expect(await linksOf(createElement(RunOverview, { run, steps: two }))).toEqual([
    "Decide: Send it /asks/a1",
    "Decide: pay /asks/a2",
  ]);
});
