import { effectWords, whoWords } from "../sentences/actionWords";
import { durationWords } from "../sentences/wordParts";

/** The asks that a draft saves or adds, in words. */
export function askChange(before: number, after: number): string {
  if (before === after) return "No change";
  const difference = Math.abs(after - before);
  const asks = difference === 1 ? "ask" : "asks";
  return after < before ? `${difference} ${asks} saved` : `${difference} more ${asks}`;
}

/** How a person would be asked. */
export function conditionWords(conditions: {
  approvals_required: number;
  approvers: string[];
  stages: string[];
  four_eyes: boolean;
  timeout_seconds: number | null;
  on_timeout: string | null;
}): string[] {
  const { approvals_required: people, approvers, stages, four_eyes, timeout_seconds, on_timeout } = conditions;
  return [
    people > 1 ? `${people} different people must sign` : "One person must sign",
    approvers.length > 0 ? `by ${whoWords(approvers)}` : null,
    stages.length > 0 ? `in order: ${stages.join(", then ")}` : null,
    four_eyes ? "not by anyone who started, steered or edited it" : null,
    timeout_seconds ? `if nobody answers within ${durationWords(timeout_seconds)}, ${effectWords(on_timeout)}` : null,
  ].filter((each) => each !== null);
}
