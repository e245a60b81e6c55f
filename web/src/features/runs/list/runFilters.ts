import { isStatus, type RunStatus } from "@/ui/domain/runs/runStatus";
import { textIn } from "@/ui/list/searchParam";

export interface RunFilters {
  status?: RunStatus | "open" | "ended";
  agent?: string;
  q?: string;
  period?: string;
  project?: string;
  /** The start dialog is open, with this agent chosen ("any" for none). */
  start?: string;
}

export function runSearch(search: Record<string, unknown>): RunFilters {
  const { status } = search;
  return {
    status: isStatus(status) || status === "open" || status === "ended" ? status : undefined,
    agent: textIn(search.agent),
    q: textIn(search.q),
    period: textIn(search.period),
    project: textIn(search.project),
    start: textIn(search.start),
  };
}

const GROUPS = {
  open: "queued,clarifying,planning,running,waiting_approval,waiting_input,paused",
  ended: "completed,failed,cancelled,timeout",
};

/** As the API takes it: one status, or several with commas. */
export const statusQuery = (status: RunFilters["status"]): string | undefined =>
  status === "open" || status === "ended" ? GROUPS[status] : status;
