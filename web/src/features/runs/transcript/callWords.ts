import type { components } from "@/api/schema";
import type { Ask, Call } from "@/api/types";
import type { IconName } from "@/ui/icons";
import { duration } from "@/ui/time/duration";
import { label, summary } from "@/ui/values/valueFormat";

const STATUSES: Record<Call["status"], { label: string; icon: IconName; tone: string }> = {
  proposed: { label: "Proposed", icon: "clock", tone: "calm" },
  waiting: { label: "Waiting for approval", icon: "hourglass", tone: "warn" },
  approved: { label: "Approved", icon: "check", tone: "info" },
  started: { label: "Running", icon: "loader-circle", tone: "info" },
  succeeded: { label: "Done", icon: "circle-check", tone: "good" },
  failed: { label: "Failed", icon: "circle-x", tone: "bad" },
  denied: { label: "Denied", icon: "ban", tone: "bad" },
  unknown: { label: "May have happened", icon: "circle-help", tone: "warn" },
};

export const callStatus = ({ status }: Call) => STATUSES[status];

// As the server titles its own tools, and what the agent's control tools come to.
const HEADLINES: Record<string, string> = {
  list_files: "List the files",
  read_file: "Read {path}",
  write_file: "Write {path}",
  delete_file: "Delete {path}",
  move_file: "Move {path} to {to}",
  web_fetch: "Fetch {url}",
  web_search: "Search for {query}",
  http_request: "{method} {url}",
  browse_page: "Open {url}",
  screenshot_page: "Take a picture of {url}",
  query_data: "Query the data: {sql}",
  save_query: "Save a query as {path}",
  make_chart: "Draw the chart {name}",
  search_knowledge: "Search the knowledge base: {query}",
  read_document: "Read a document",
  search_runs: "Search earlier runs: {query}",
  keep_memory: "Remember: {text}",
  find_memory: "Look into its memory",
  forget_memory: "Forget a note",
  send_message: "Send a message to {channel}",
  send_email: "Send an email to {to}",
  create_deliverable: "Deliver {name}",
  ask_question: "Asked: {question}",
  clarification_complete: "Understand the task",
  propose_plan: "Propose a plan: {summary}",
  request_review: "Ask for a review: {phase}",
  request_budget: "Ask for a larger budget",
  read_result: "Read the result of call {call} again",
  complete_task: "Complete the task",
};
const DONE: Record<string, string> = {
  create_deliverable: "Delivered {name}",
  clarification_complete: "Understood the task",
  complete_task: "Completed the task",
};

/** What a call does, in a few words. */
export function callWords({ tool, status, arguments: given }: Call, ask?: Ask): string {
  const headline = (status === "succeeded" && DONE[tool]) || HEADLINES[tool];
  if (headline) return headline.replace(/\{(\w+)\}/g, (_, name) => String(given[name] ?? "")).trim();
  return ask?.title ?? [label(tool), summary(given)].filter(Boolean).join(": ");
}

/** How far a call has come: `2 of 5: Counting`. */
export function progressWords({ progress, total, message }: components["schemas"]["CallProgress"]): string {
  const far = total === undefined ? "" : `${number(progress)} of ${number(total)}`;
  return [far, message].filter(Boolean).join(": ") || number(progress);
}

const number = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 1 });

/** Progress has a panel of its own. */
export const isInTranscript = ({ tool }: Call): boolean => tool !== "report_progress";

/** Who or what decided about a call that needed no person. */
export function ruleWords({ ask_id, verdict: { verdict, rule } }: Pick<Call, "ask_id" | "verdict">): string | null {
  if (ask_id || !rule) return null;
  return verdict === "deny" ? `Denied by rule ${rule}` : `Allowed by rule ${rule}`;
}

/** How long it ran: `12 ms`, `3s`, `2m`. Nothing before it has ended. */
export function took({ started_at, ended_at }: Pick<Call, "started_at" | "ended_at">): string {
  if (!started_at || !ended_at) return "";
  const milliseconds = Date.parse(ended_at) - Date.parse(started_at);
  return milliseconds < 1000 ? `${Math.max(0, Math.round(milliseconds))} ms` : duration(milliseconds / 1000);
}
