/** The time of day, with its day unless that is today. */
export function pausedSince(at: string, now = new Date()): string {
  const then = new Date(at);
  const time = then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const isToday = then.toDateString() === now.toDateString();
  return isToday ? time : `${then.toLocaleDateString([], { day: "numeric", month: "short" })}, ${time}`;
}
