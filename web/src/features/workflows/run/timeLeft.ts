/** How long a run will still work, from how long those before it worked; unknown where there were none. */
export function timeLeft(past: number[], used: number): number | null {
  if (past.length === 0) return null;
  const sorted = past.toSorted((one, other) => one - other);
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return usual > used ? usual - used : null;
}
