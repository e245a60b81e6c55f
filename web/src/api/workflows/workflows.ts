import { http } from "../client";
import type { Page, Run, Values } from "../types";

/** What a field of a step's input is taken from. */
export type Source = string | { const: unknown } | { path: string; default?: unknown } | { template: string };

export interface WorkflowStep {
  id: string;
  name?: string;
  agent?: string;
  workflow?: string;
  tool?: string;
  task?: string;
  needs?: string[];
  when?: string;
  each?: string | { path: string; as?: string; max_parallel?: number };
  input?: Record<string, Source>;
  output_schema?: Values;
  timeout_seconds?: number;
  retries?: number;
  checkpoint?: "before" | "after" | Values;
}

export interface WorkflowDefinition {
  slug: string;
  name: string;
  description?: string | null;
  input_schema?: Values | null;
  layout?: Record<string, { x: number; y: number }>;
  steps: WorkflowStep[];
}

export interface Workflow {
  slug: string;
  name: string;
  description: string | null;
  steps: number;
  version: number;
  deployed_version: number | null;
  updated_at: string;
  definition: WorkflowDefinition;
  yaml: string;
}

export interface WorkflowProblem {
  step?: string | null;
  path: string;
  message: string;
  line?: number | null;
}

export interface WorkflowCheck {
  ok: boolean;
  errors: WorkflowProblem[];
  warnings: WorkflowProblem[];
}

export interface WorkflowVersion {
  version: number;
  saved_by: string;
  created_at: string;
  deployed: boolean;
}

export type StepStatus = "pending" | "waiting" | "running" | "succeeded" | "failed" | "skipped" | "cancelled";

export interface RunStep {
  id: string;
  name?: string | null;
  status: StepStatus;
  attempt?: number | null;
  /** Without waits, and without the time that people took. */
  working_seconds?: number | null;
  run_id?: string | null;
  input?: unknown;
  output?: unknown;
  left_out?: Record<string, number>;
  /** Of an output that may go on, but slows everything down. */
  warning?: string | null;
  error?: Values | null;
  agent?: string | null;
  workflow?: string | null;
  tool?: string | null;
  needs?: string[];
  runs?: { index: number; run_id: string | null }[] | null;
  ask_id?: string | null;
  /** The ask below it that holds it up. */
  waits_for?: string | null;
}

export interface PreviewStep {
  id: string;
  input: unknown;
  from: "sample" | "schema" | "run";
  error?: string | null;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";
type Request = (path: string, init: object) => Promise<{ data?: unknown }>;

async function call<T>(method: Method, path: string, init: object = {}): Promise<T> {
  const loose = http as unknown as Record<Method, Request>;
  return (await loose[method](path, init)).data as T;
}

const one = (slug: string) => ({ path: { slug } });

export const stepsKey = (runId: string) => ["get", "/api/runs/{run_id}/steps", { params: { path: { run_id: runId } } }];
export const workflowsKey = ["get", "/api/workflows"];
export const workflowKey = (slug: string) => ["get", "/api/workflows/{slug}", slug];

export const readWorkflows = () => call<Page<Workflow>>("GET", "/api/workflows", { params: { query: { limit: 200 } } });
export const readWorkflow = (slug: string, version?: number) =>
  call<Workflow>("GET", "/api/workflows/{slug}", { params: { ...one(slug), query: { version } } });
export const createWorkflow = (yaml: string) =>
  call<Workflow>("POST", "/api/workflows", { params: { query: { draft: true } }, body: { yaml } });
export const saveWorkflow = (slug: string, yaml: string, base_version: number) =>
  call<Workflow>("PUT", "/api/workflows/{slug}", {
    params: { ...one(slug), query: { draft: true, base_version } },
    body: { yaml },
  });
export const deployWorkflow = (slug: string, version: number) =>
  call<Workflow>("POST", "/api/workflows/{slug}/deploy", { params: one(slug), body: { version } });
export const checkWorkflow = (yaml: string) =>
  call<WorkflowCheck>("POST", "/api/workflows/validate", { body: { yaml } });
export const readVersions = (slug: string) =>
  call<Page<WorkflowVersion>>("GET", "/api/workflows/{slug}/versions", {
    params: { ...one(slug), query: { limit: 200 } },
  });
export const readDiff = (slug: string, a: number, b: number) =>
  call<{ yaml_a: string; yaml_b: string }>("GET", "/api/workflows/{slug}/versions/{version}/diff/{other}", {
    params: { path: { slug, version: a, other: b } },
  });
export const restoreVersion = (slug: string, version: number) =>
  call<Workflow>("POST", "/api/workflows/{slug}/restore", { params: one(slug), body: { version } });
/** With a sample, or with all that the last run was given and made. */
export const previewWorkflow = (slug: string, yaml: string, given: { input: Values } | { run: "last" }) =>
  call<{ steps: PreviewStep[] }>("POST", "/api/workflows/{slug}/preview", {
    params: one(slug),
    body: { ...given, yaml },
  });
export const executeWorkflow = (slug: string, input: Values, test: boolean) =>
  call<Run>("POST", "/api/workflows/{slug}/execute", { params: one(slug), body: { input, test } });
export const readSteps = (runId: string) =>
  call<{ items: RunStep[] }>("GET", "/api/runs/{run_id}/steps", {
    // What is longer nobody reads on a page, and each step that ends would bring all of it again.
    params: { path: { run_id: runId }, query: { longest: 200_000 } },
  });
