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
export const hasEnded = (run: Pick<Run, "status">): boolean => Boolean(STATUSES[run.status as RunStatus].ended);

/** How a run stands. One that clarifies its task waits for a person as soon as it asks. */
export function statusWords({ status, open_asks }: Pick<Run, "status" | "open_asks">) {
  return STATUSES[status === "clarifying" && open_asks > 0 ? "waiting_input" : (status as RunStatus)];
}

/** Why a run ended, where the status does not say it all. */
export function reasonWords(run: Run): string | undefined {
  return run.completion_reason ? REASONS[run.completion_reason] : undefined;
}

// What the engine writes down, and what a person needs of it.
const TROUBLES: [RegExp, string][] = [
  [/^The model did not answer: .*(Trying again at [\d:]+ UTC).*$/s, "The model did not answer. $1."],
  [/^The model did not answer.*$/s, "The model did not answer, however often it was asked."],
  [/^.*\berror 40[13]\b.*$/s, "The model did not accept the key."],
  [/^.*\berror 404\b.*$/s, "The model was not found."],
  [/^.*\berror 4\d\d\b.*$/s, "The model refused the request."],
  [/^The conversation is too long.*$/s, "The conversation is too long for the model."],
  [/^.* cannot be used\b.*$/s, "The model cannot be used."],
  [/^Signoff itself failed.*$/s, "Signoff itself failed."],
];

/** What went wrong, in one sentence. A limit is told by the reason. */
export function errorWords(run: Pick<Run, "error" | "status">): string | undefined {
  if (!run.error || run.status === "timeout") return undefined;
  const told = String(run.error.message ?? "");
  const [pattern, words] = TROUBLES.find(([pattern]) => pattern.test(told)) ?? [/^.*$/s, "The run failed."];
  return told.replace(pattern, words);
}

/** What the engine kept of it, for whoever has to mend it. */
export function errorDetails({ error }: Pick<Run, "error">): string | undefined {
  return error ? Object.values(error).map(String).join("\n\n") : undefined;
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

/** What a person may do to a run in its state, the most likely first. Only an admin may delete. */
export function actionsFor(run: Pick<Run, "status">, admin: boolean): Action[] {
  if (hasEnded(run)) return ["continue", "retry", ...(admin ? (["delete"] as const) : [])];
  const clarifying: Action[] = run.status === "clarifying" ? ["skip-clarification"] : [];
  return [run.status === "paused" ? "resume" : "pause", ...clarifying, "complete", "cancel"];
}
