import type { Call } from "@/api/types";
import type { IconName } from "@/ui/icons";
import { duration } from "@/ui/time";

const STATUSES: Record<Call["status"], { label: string; icon: IconName; tone: string }> = {
  proposed: { label: "Proposed", icon: "clock", tone: "calm" },
  waiting: { label: "Waits for a person", icon: "hourglass", tone: "warn" },
  approved: { label: "Approved", icon: "check", tone: "info" },
  started: { label: "Running", icon: "loader-circle", tone: "info" },
  succeeded: { label: "Done", icon: "circle-check", tone: "good" },
  failed: { label: "Failed", icon: "circle-x", tone: "bad" },
  denied: { label: "Refused", icon: "ban", tone: "bad" },
  unknown: { label: "May have happened", icon: "circle-help", tone: "warn" },
};

export const callStatus = ({ status }: Call) => STATUSES[status];

// The agent's own means act on nothing outside, so they stand back.
const OWN = new Set([
  "report_progress",
  "create_deliverable",
  "ask_question",
  "complete_task",
  "clarification_complete",
  "request_review",
  "request_budget",
  "propose_plan",
]);

export const isOwn = ({ tool }: Call): boolean => OWN.has(tool);

/** How long it ran: `12 ms`, `3s`, `2m`. Nothing before it has ended. */
export function took({ started_at, ended_at }: Pick<Call, "started_at" | "ended_at">): string {
  if (!started_at || !ended_at) return "";
  const milliseconds = Date.parse(ended_at) - Date.parse(started_at);
  return milliseconds < 1000 ? `${Math.max(0, Math.round(milliseconds))} ms` : duration(milliseconds / 1000);
}
