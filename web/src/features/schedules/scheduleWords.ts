import type { Schedule, ScheduleIn } from "@/api/types";
import { duration } from "@/ui/time/duration";

/** What people type into the dialog. */
export interface ScheduleDraft {
  name: string;
  agent: string;
  task: string;
  cron: string;
  timezone: string;
}

/** Often wanted times, so that nobody has to know cron. */
export const PRESETS: { cron: string; label: string }[] = [
  { cron: "0 * * * *", label: "Every hour" },
  { cron: "0 9 * * *", label: "Every day at 9:00" },
  { cron: "0 9 * * 1-5", label: "Monday to Friday at 9:00" },
  { cron: "0 9 * * 1", label: "Every Monday at 9:00" },
  { cron: "0 9 1 * *", label: "On the first of each month at 9:00" },
];

export const presetOf = (cron: string): string =>
  PRESETS.find((each) => each.cron === cron.trim().replace(/\s+/g, " "))?.cron ?? "";

export function draftOf(schedule: Schedule | undefined, agent: string, zone: string): ScheduleDraft {
  return {
    name: schedule?.name ?? "",
    agent: schedule?.agent ?? agent,
    task: schedule?.task ?? "",
    cron: schedule?.cron ?? "0 9 * * 1-5",
    timezone: schedule?.timezone ?? zone,
  };
}

export function bodyOf({ name, agent, task, cron, timezone }: ScheduleDraft): ScheduleIn {
  return { name: name.trim() || null, agent, task: task.trim(), cron: cron.trim(), timezone };
}

/** A time as clocks in that zone show it: that is what the expression is about. */
export function inZone(at: string, timezone: string, locale?: string): string {
  return new Intl.DateTimeFormat(locale, {
    timeZone: timezone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(new Date(at));
}

/** How long until then. The clock may need a moment. */
export function untilWords(at: string, now: number): string {
  const left = (Date.parse(at) - now) / 1000;
  return left < 1 ? "now" : `in ${duration(left)}`;
}

/** As people know it. */
export const nameOf = (schedule: Schedule, agentNamed: (slug: string) => string): string =>
  schedule.name ?? (schedule.agent ? agentNamed(schedule.agent) : (schedule.workflow ?? ""));

/** Those that run come first, the soonest on top; those that are off stay below. */
export function bySoonest(schedules: readonly Schedule[]): Schedule[] {
  const when = ({ next_at }: Schedule) => (next_at ? Date.parse(next_at) : Number.POSITIVE_INFINITY);
  return [...schedules].sort((a, b) => (when(a) === when(b) ? 0 : when(a) - when(b)));
}
