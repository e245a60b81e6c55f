// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { Problem } from "@/api/problems";
import type { Workflow } from "@/api/workflows/workflows";
import { useWorkflowDraft, type WorkflowDraft } from "./useWorkflowDraft";

const api = vi.hoisted(() => ({ saveWorkflow: vi.fn(), checkWorkflow: vi.fn(), createWorkflow: vi.fn() }));
vi.mock("@tanstack/react-router", () => ({ useNavigate: () => () => {} }));
const toast = vi.hoisted(() => ({ said: vi.fn(), failed: vi.fn() }));
vi.mock("@/ui/overlay/toast", () => toast);
vi.mock("@/api/workflows/workflows", () => ({ ...api, workflowKey: (slug: string) => [slug], workflowsKey: ["all"] }));

const first = { slug: "w", version: 1, yaml: "slug: w\nname: First\n" } as Workflow;
const second = { ...first, version: 2, yaml: "slug: w\nname: Second\n" };

async function drafting(workflow: Workflow | undefined, play: (draft: () => WorkflowDraft) => Promise<void>) {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  api.checkWorkflow.mockResolvedValue({ errors: [], warnings: [] });
  const queries = new QueryClient();
  const root = createRoot(document.createElement("div"));
  let draft: WorkflowDraft | undefined;
  const Page = () => {
    draft = useWorkflowDraft("w", workflow);
    return null;
  };
  await act(() => root.render(createElement(QueryClientProvider, { client: queries }, createElement(Page))));
  await play(() => draft as WorkflowDraft);
  await act(() => root.unmount());
  queries.clear();
}

it("going back after a save to what was there before is a change to save", () =>
  drafting(first, async (draft) => {
    expect(draft().changed).toBe(false);
    await act(() => draft().edit(() => second.yaml));
    api.saveWorkflow.mockResolvedValue(second);
    await act(() => draft().save.mutateAsync(undefined));
    expect(draft().changed).toBe(false);
    await act(() => draft().edit(() => first.yaml));
    expect(draft().changed).toBe(true);
  }));

it("a new workflow is nothing to save until somebody writes", () =>
  drafting(undefined, async (draft) => {
    expect(draft().changed).toBe(false);
    await act(() => draft().edit((text) => `${text}description: Mine\n`));
    expect(draft().changed).toBe(true);
  }));

it("a new workflow has no problems until somebody writes", () =>
  drafting(undefined, async (draft) => {
    const none = { path: "steps", message: "needs at least one step" };
    api.checkWorkflow.mockResolvedValue({ errors: [none], warnings: [] });
    await act(() => draft().edit((text) => `${text}# one\n`));
    await vi.waitFor(() => expect(draft().problems).toEqual([none]));
    await act(() => draft().edit((text) => text.replace("# one\n", "")));
    expect(draft().problems).toEqual([]);
  }));

it("while a line is half written, what could be read last stays on the canvas", () =>
  drafting(first, async (draft) => {
    await act(() => draft().edit(() => "slug: w\nname: [Half\n"));
    expect(draft().read.ok).toBe(false);
    expect(draft().drawn?.name).toBe("First");
  }));

it("a refused save does not repeat the list of problems over the fields", () =>
  drafting(first, async (draft) => {
    await act(() => draft().edit(() => second.yaml));
    const problem = { path: "steps.0.agent", message: "There is no agent 'x'." };
    api.saveWorkflow.mockRejectedValue(
      new Problem(422, "The workflow has one problem.", "invalid_workflow", [problem]),
    );
    await act(() =>
      draft()
        .save.mutateAsync(undefined)
        .catch(() => {}),
    );
    const [said] = toast.failed.mock.lastCall as [Problem];
    expect([said.detail, said.errors]).toEqual([
      "The workflow has one problem. Nothing is saved yet: see the list.",
      [],
    ]);
  }));
