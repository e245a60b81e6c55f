import type { RunStep, StepStatus, WorkflowStep } from "@/api/workflows/workflows";
import type { IconName } from "@/ui/icons";
import type { Tone } from "@/ui/Tag";

const WORDS: Record<StepStatus, { label: string; tone: Tone }> = {
  pending: { label: "Not started", tone: "calm" },
  waiting: { label: "Waits for a person", tone: "warn" },
  running: { label: "Running", tone: "info" },
  succeeded: { label: "Done", tone: "good" },
  failed: { label: "Failed", tone: "bad" },
  skipped: { label: "Skipped", tone: "calm" },
  cancelled: { label: "Cancelled", tone: "calm" },
};

export const stateWords = (status: StepStatus): { label: string; tone: Tone } => WORDS[status] ?? WORDS.pending;

/** A step that was skipped needs no more work either. */
const isOver = ({ status }: Pick<RunStep, "status">): boolean => status === "succeeded" || status === "skipped";

export const progressWords = (steps: Pick<RunStep, "status">[]): string =>
  `${steps.filter(isOver).length} of ${steps.length} ${steps.length === 1 ? "step" : "steps"}`;

export const shareDone = (steps: Pick<RunStep, "status">[]): number =>
  steps.length === 0 ? 0 : (100 * steps.filter(isOver).length) / steps.length;

/** Whether going on from the last good step saves anything: a step, an item of one, or a part of a nested workflow. */
export const isResumable = (steps: Pick<RunStep, "status" | "runs" | "workflow" | "run_id" | "ask_id">[]): boolean =>
  steps.some(
    ({ status, runs, workflow, run_id: runId, ask_id: askId }) =>
      status === "succeeded" || runs?.some(({ run_id }) => run_id) || (runId && (workflow || askId)),
  );

/** What a workflow went on without. */
export const failedNames = (steps: Pick<RunStep, "status" | "id" | "name">[]): string =>
  steps
    .filter(({ status }) => status === "failed")
    .map(({ id, name }) => name ?? id)
    .join(", ");

export type StepKind = "agent" | "workflow" | "tool";

const ICONS: Record<StepKind, IconName> = { agent: "bot", workflow: "layers", tool: "terminal" };

/** What a step runs. */
export function kindOfStep({ tool, workflow }: Pick<WorkflowStep, StepKind>): { kind: StepKind; icon: IconName } {
  const kind = tool !== undefined ? "tool" : workflow !== undefined ? "workflow" : "agent";
  return { kind, icon: ICONS[kind] };
}
