import type { Run } from "@/api/types";
import type { Tone } from "../../Tag";

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
  waiting_approval: { label: "Waiting for approval", tone: "warn" },
  waiting_input: { label: "Waiting for an answer", tone: "warn" },
  paused: { label: "Paused", tone: "calm" },
  completed: { label: "Completed", tone: "good", ended: true },
  failed: { label: "Failed", tone: "bad", ended: true },
  cancelled: { label: "Cancelled", tone: "calm", ended: true },
  timeout: { label: "Limit reached", tone: "warn", ended: true },
};
export const isStatus = (status: unknown): status is RunStatus => typeof status === "string" && status in STATUSES;
export const hasEnded = (run: Pick<Run, "status">): boolean => Boolean(STATUSES[run.status as RunStatus].ended);

/** How a run stands. One that clarifies its task waits for a person as soon as it asks. */
export function statusWords({ status, open_asks }: Pick<Run, "status" | "open_asks">) {
  return STATUSES[status === "clarifying" && open_asks > 0 ? "waiting_input" : (status as RunStatus)];
}
