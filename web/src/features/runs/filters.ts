import { isStatus, type RunStatus } from "./words";

export interface RunFilters {
  status?: RunStatus | "open" | "ended";
  agent?: string;
  q?: string;
  period?: string;
  /** The start dialog is open, with this agent chosen ("any" for none). */
  start?: string;
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value ? value : typeof value === "number" ? String(value) : undefined;

export function runSearch(search: Record<string, unknown>): RunFilters {
  const { status } = search;
  return {
    status: isStatus(status) || status === "open" || status === "ended" ? status : undefined,
    agent: text(search.agent),
    q: text(search.q),
    period: text(search.period),
    start: text(search.start),
  };
}

const GROUPS = {
  open: "queued,clarifying,planning,running,waiting_approval,waiting_input,paused",
  ended: "completed,failed,cancelled,timeout",
};

/** As the API takes it: one status, or several with commas. */
export const statusQuery = (status: RunFilters["status"]): string | undefined =>
  status === "open" || status === "ended" ? GROUPS[status] : status;
