const HOUR_MS = 3_600_000;

export const PERIODS = [
  { value: "", label: "Any time" },
  { value: "1", label: "Last 24 hours" },
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
];

/** When a period of days began; to the hour, so that the question stays the same while somebody reads. */
export function periodSince(days: string | undefined, now = Date.now()): string | undefined {
  if (!days || !Number.isFinite(Number(days))) return undefined;
  return new Date(Math.floor(now / HOUR_MS) * HOUR_MS - Number(days) * 24 * HOUR_MS).toISOString();
}
