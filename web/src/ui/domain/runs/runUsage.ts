import type { Run } from "@/api/types";
import { useServerNow } from "../../time/clock";
import { duration, since } from "../../time/duration";
import { hasEnded } from "./runStatus";

/** The seconds from the first step to the end, or to now. */
export function useElapsed(run: Run): number {
  const now = useServerNow();
  if (!run.started_at) return 0;
  return hasEnded(run) ? run.duration_seconds : since(run.started_at, now);
}

/** The time that a run took, the same wherever it is shown: that which counts against its limit. */
export const useTimeUsed = (run: Run): number => timeUsed(run, useElapsed(run)).used;

/** The time that counts against the limit; waiting for people does so only where it was said. */
export function timeUsed(
  { limits, working_seconds }: Run,
  elapsed: number,
): { used: number; most: number; of: string } {
  const most = (limits.max_duration_hours ?? 0) * 3600;
  const counts = Boolean(limits.waiting_counts);
  return {
    used: counts ? elapsed : working_seconds,
    most,
    of: most > 0 ? `of ${duration(most)}${counts ? "" : " working time"}` : counts ? "" : "working time",
  };
}

export const elapsedWords = (run: Run, seconds: number): string => (run.started_at ? duration(seconds) : "not started");

export const creditWords = ({ cost_credits }: Run): string =>
  cost_credits.toLocaleString("en", { maximumFractionDigits: 1 });

/** How much of what went to the model its provider had cached. */
export const cachedWords = ({ tokens }: Pick<Run, "tokens">): string =>
  tokens.cached ? `${Math.round((tokens.cached_share ?? 0) * 100)}% of the input cached` : "none cached";
