// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import type { RunStep } from "@/api/workflows/workflows";
import { StepEntry } from "./StepEntry";

vi.mock("@/api/agentNames", () => ({ useAgentNames: () => () => "The writer" }));
vi.mock("@/api/workflows/workflowNames", () => ({ useWorkflowNames: () => (slug: string) => slug }));

async function shown(step: RunStep, look: (place: HTMLElement) => void) {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  Object.assign(window, { matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) });
  const place = document.createElement("div");
  const root = createRoot(place);
  const entry = createElement(StepEntry, { runId: "r1", step, chosen: false, checkpoint: null });
  await act(() => root.render(createElement(MantineProvider, null, entry)));
  look(place);
  await act(() => root.unmount());
}

it("a step names what was too long to be shown, and leads to it", () =>
  shown({ id: "large", agent: "writer-2", status: "succeeded", left_out: { output: 10_485_760 } }, (place) => {
    expect(place.textContent).toContain("The writer");
    expect(place.textContent).toContain("Its output has 10,485,760 characters: too many to be shown.");
    expect(place.querySelector("a")?.getAttribute("href")).toBe("/api/runs/r1/steps");
  }));

it("a step whose output is large says so, though it is done", () => {
  const warning = "This output has 10.0 MB. Above 5 MB runs get slow.";
  return shown({ id: "large", status: "succeeded", warning }, (place) => {
    expect(place.textContent).toContain("Done");
    expect(place.textContent).toContain(warning);
  });
});

it("a step takes no time while people think", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const place = document.createElement("div");
  const root = createRoot(place);
  const step = { id: "pay", status: "succeeded" as const, working_seconds: 2, duration_seconds: 600 };
  const entry = createElement(StepEntry, { runId: "r1", step, chosen: false, checkpoint: null });
  await act(() => root.render(createElement(MantineProvider, null, entry)));
  expect(place.textContent).toContain("2s");
  expect(place.textContent).not.toContain("10");
  await act(() => root.unmount());
});
