const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in its two largest units: `45s`, `12m`, `2h 5m`, `3d 4h`. Minutes and up drop the seconds. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE) return `${whole}s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)}m`;
  if (whole < DAY) return pair(Math.floor(whole / HOUR), "h", Math.floor((whole % HOUR) / MINUTE), "m");
  return pair(Math.floor(whole / DAY), "d", Math.floor((whole % DAY) / HOUR), "h");
}

/** Time that still runs, with seconds below an hour: `0:42`, `12:05`, `2h 5m`. */
export function countdown(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole >= HOUR) return duration(whole);
  return `${Math.floor(whole / MINUTE)}:${String(whole % MINUTE).padStart(2, "0")}`;
}

/** How long ago, in words for a list. */
export function ago(seconds: number): string {
  return seconds < 10 ? "just now" : `${duration(seconds)} ago`;
}

/** Seconds from `then` to `now`; a clock that is a little behind the server's gives no negative time. */
export function since(then: string, now: number): number {
  return Math.max(0, (now - Date.parse(then)) / 1000);
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small > 0 ? `${large}${largeUnit} ${small}${smallUnit}` : `${large}${largeUnit}`;
}
