/** Deadlines are the server's, and a browser's clock may be minutes off. */
let ahead = 0;

// The header has whole seconds, and an answer takes a moment: that much says nothing about the clock.
const NOTHING_MS = 2_000;

/** Take the time from the `Date` of an answer; what was known stays while it is right, so that no deadline jumps. */
export function hearTime(date: string | null, now = Date.now()): void {
  const at = Date.parse(date ?? "");
  if (Number.isNaN(at)) return;
  const found = at - now;
  if (Math.abs(found - ahead) > NOTHING_MS) ahead = Math.abs(found) < NOTHING_MS ? 0 : found;
}

export const serverNow = (now = Date.now()): number => now + ahead;
