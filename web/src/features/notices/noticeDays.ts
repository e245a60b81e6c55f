import type { Notice } from "@/api/types";

export interface Day {
  label: string;
  notices: Notice[];
}

/** The same list in days of this device, as people name them. */
export function daysOf(notices: Notice[], now: number): Day[] {
  const days: Day[] = [];
  for (const notice of notices) {
    const label = dayWords(new Date(notice.created_at), new Date(now));
    const last = days.at(-1);
    if (last?.label === label) last.notices.push(notice);
    else days.push({ label, notices: [notice] });
  }
  return days;
}

function dayWords(at: Date, now: Date): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (at.toDateString() === now.toDateString()) return "Today";
  if (at.toDateString() === yesterday.toDateString()) return "Yesterday";
  const year = at.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return at.toLocaleDateString([], { weekday: "long", day: "numeric", month: "long", year });
}
