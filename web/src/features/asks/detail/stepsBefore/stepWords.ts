import type { components } from "@/api/schema";
import { duration } from "@/ui/time/duration";

type Steps = components["schemas"]["StepsBefore"];

/** `1 step`, `12 steps`: those that are listed and those before. */
export function stepCount({ items, earlier }: Steps): string {
  const count = items.length + earlier;
  return `${count} ${count === 1 ? "step" : "steps"}`;
}

/** `4 s`, `2 min 10 s`, then as everywhere. */
export function took(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  return whole < 3600 ? `${Math.floor(whole / 60)} min ${whole % 60} s` : duration(whole);
}

/** How long it took; how it ended, unless well. */
export const stepEnd = ({ status, seconds }: Steps["items"][number]): string =>
  [status !== "succeeded" && status, took(seconds)].filter(Boolean).join(", ");
