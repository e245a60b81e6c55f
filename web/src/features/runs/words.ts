import type { Agent, Autonomy, Run } from "@/api/types";
import type { Tone } from "@/ui/Tag";

export type RunStatus =
  | "queued"
  | "clarifying"
  | "planning"
  | "running"
  | "waiting_approval"
  | "waiting_input"
  | "paused"
  | "completed"
  | "failed"
  | "cancelled"
  | "timeout";

export const STATUSES: Record<RunStatus, { label: string; tone: Tone; live?: boolean; ended?: boolean }> = {
  queued: { label: "Queued", tone: "calm" },
  clarifying: { label: "Clarifying", tone: "info", live: true },
  planning: { label: "Planning", tone: "info", live: true },
  running: { label: "Running", tone: "info", live: true },
  waiting_approval: { label: "Waits for approval", tone: "warn" },
  waiting_input: { label: "Waits for an answer", tone: "warn" },
  paused: { label: "Paused", tone: "calm" },
  completed: { label: "Completed", tone: "good", ended: true },
  failed: { label: "Failed", tone: "bad", ended: true },
  cancelled: { label: "Cancelled", tone: "calm", ended: true },
  timeout: { label: "Limit reached", tone: "warn", ended: true },
};

const REASONS: Record<string, string> = {
  user_completed: "ended by a person",
  max_iterations: "all steps used",
  max_duration: "time used up",
  max_cost: "budget used up",
  rejected: "refused by a person",
  ask_expired: "nobody answered in time",
};

export const AUTONOMY: Record<Autonomy, { label: string; means: string }> = {
  full: { label: "Full", means: "Acts on its own; only rules stop it" },
  approve_high_risk: { label: "Ask when risky", means: "Asks before it writes, sends, pays or deletes" },
  approve_milestones: { label: "Ask at milestones", means: "Stops for a review when a phase is done" },
  approve_all: { label: "Ask always", means: "Asks before every action" },
};

// From the strictest to the loosest, as the server orders them.
const LOOSER: Autonomy[] = ["approve_all", "approve_high_risk", "approve_milestones", "full"];

/** Whether a run would be freer than its agent, which is an admin's business. */
export const isLooser = (autonomy: Autonomy, { autonomy: own = "approve_high_risk" }: Agent): boolean =>
  LOOSER.indexOf(autonomy) > LOOSER.indexOf(own);

export const autonomyWords = ({ autonomy = "approve_high_risk" }: Agent) => AUTONOMY[autonomy];
export const isStatus = (status: unknown): status is RunStatus => typeof status === "string" && status in STATUSES;
export const statusWords = (run: Pick<Run, "status">) => STATUSES[run.status as RunStatus];
export const hasEnded = (run: Pick<Run, "status">): boolean => Boolean(statusWords(run).ended);

/** Why a run ended, where the status does not say it all. */
export function reasonWords(run: Run): string | undefined {
  return run.completion_reason ? REASONS[run.completion_reason] : undefined;
}

/** What went wrong, from whatever the engine kept of it. */
export function errorWords(run: Run): string | undefined {
  const { message, detail } = (run.error ?? {}) as Record<string, unknown>;
  const words = message ?? detail;
  return run.error ? (typeof words === "string" ? words : JSON.stringify(run.error)) : undefined;
}

/** What it does, or what came of it, in one line. */
export function doingWords(run: Run): string {
  if (hasEnded(run)) return run.summary || errorWords(run) || reasonWords(run) || run.task;
  return run.progress?.message || run.progress?.current_step || run.task;
}

export type Action =
  | "pause"
  | "resume"
  | "skip-clarification"
  | "complete"
  | "cancel"
  | "continue"
  | "retry"
  | "delete";

/** What a person may do to a run in its state, the most likely first. */
export function actionsFor(run: Pick<Run, "status">): Action[] {
  if (hasEnded(run)) return ["continue", "retry", "delete"];
  const clarifying: Action[] = run.status === "clarifying" ? ["skip-clarification"] : [];
  return [run.status === "paused" ? "resume" : "pause", ...clarifying, "complete", "cancel"];
}
