import type { Schedule, ScheduleIn, Values } from "@/api/types";
import { duration } from "@/ui/time/duration";

/** What people type into the dialog. */
export interface ScheduleDraft {
  name: string;
  /** Whether `slug` is an agent's or a workflow's. */
  kind: "agent" | "workflow";
  slug: string;
  task: string;
  /** What a workflow is given; `null` while it cannot be read. */
  input: Values | null;
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
    kind: schedule?.workflow ? "workflow" : "agent",
    slug: schedule?.workflow ?? schedule?.agent ?? agent,
    task: schedule?.task ?? "",
    input: (schedule?.input ?? {}) as Values,
    cron: schedule?.cron ?? "0 9 * * 1-5",
    timezone: schedule?.timezone ?? zone,
  };
}

export function bodyOf({ name, kind, slug, task, input, cron, timezone }: ScheduleDraft): ScheduleIn {
  const what = kind === "agent" ? { agent: slug, task: task.trim() } : { workflow: slug, input };
  return { name: name.trim() || null, ...what, cron: cron.trim(), timezone };
}

/** Whether it says what is to be done, and when. */
export const isWhole = ({ kind, task, input, cron }: ScheduleDraft): boolean =>
  Boolean(cron.trim() && (kind === "agent" ? task.trim() : input));

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

type Naming = (slug: string) => string;

/** What it runs, as people know it. */
export const targetOf = ({ agent, workflow }: Schedule, agentNamed: Naming, workflowNamed: Naming): string =>
  agent ? agentNamed(agent) : workflowNamed(workflow ?? "");

/** Those that run come first, the soonest on top; those that are off stay below. */
export function bySoonest(schedules: readonly Schedule[]): Schedule[] {
  const when = ({ next_at }: Schedule) => (next_at ? Date.parse(next_at) : Number.POSITIVE_INFINITY);
  return [...schedules].sort((a, b) => (when(a) === when(b) ? 0 : when(a) - when(b)));
}
