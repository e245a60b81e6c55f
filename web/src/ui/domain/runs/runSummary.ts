import type { Run } from "@/api/types";
import { hasEnded } from "./runStatus";

const REASONS: Record<string, string> = {
  user_completed: "ended by a person",
  max_iterations: "all steps used",
  max_duration: "time used up",
  max_cost: "budget used up",
  rejected: "denied by a person",
  ask_expired: "nobody answered in time",
};

/** Why a run ended, where the status does not say it all. */
export function reasonWords(run: Run): string | undefined {
  return run.completion_reason ? REASONS[run.completion_reason] : undefined;
}

/** How often it asked back before it began, and how often it may. */
export const clarificationWords = ({ exchanges, max_exchanges }: Run["clarification"]): string =>
  `Asked back ${exchanges === 1 ? "once" : `${exchanges} times`} (at most ${max_exchanges})`;

// What the engine writes down, and what a person needs of it.
const ERROR_WORDS: [RegExp, string][] = [
  [/^The model did not answer: .*(Trying again at [\d:]+ UTC).*$/s, "The model did not answer. $1."],
  [/^The model did not answer.*$/s, "The model did not answer after several tries."],
  [/^.*\berror 40[13]\b.*$/s, "The model rejected the API key."],
  [/^.*\berror 404\b.*$/s, "The model was not found."],
  [/^.*\berror 4\d\d\b.*$/s, "The model refused the request."],
  [/^The conversation is too long.*$/s, "The conversation is too long for the model."],
  [/^.* cannot be used\b.*$/s, "The model cannot be used."],
  // A workflow says where, and what happened there.
  [/^(Step \d+ of \d+, .*?)\n.*$/s, "$1"],
  [/^(Step \d+ of \d+, .*)$/, "$1"],
  [/^Signoff itself failed.*$/s, "Signoff itself failed."],
];

/** What went wrong, in one sentence. A limit is told by the reason. */
export function errorWords(run: Pick<Run, "error" | "status">): string | undefined {
  if (!run.error || run.status === "timeout") return undefined;
  const message = String(run.error.message ?? "");
  const [pattern, words] = ERROR_WORDS.find(([pattern]) => pattern.test(message)) ?? [/^.*$/s, "The run failed."];
  return message.replace(pattern, words);
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
