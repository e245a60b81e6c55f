import type { components } from "@/api/schema";

export type Delivery = components["schemas"]["DeliveryOut"];

const WAYS: Record<string, string> = { email: "by mail", push: "by push", slack: "in Slack", teams: "in Teams" };

/** Mail goes to people only, also to some who are no members. */
const isToPerson = ({ member_id, channel_kind }: Delivery): boolean => member_id !== null || channel_kind === "email";

/** Who is told, and by what: `Ana by mail`, `#approvals in Slack`. */
export function whomWords(delivery: Delivery, named: (email: string) => string): string {
  const { channel, channel_kind, target } = delivery;
  const way = WAYS[channel_kind];
  if (isToPerson(delivery)) return `${named(target)} ${way ?? `by ${channel}`}`;
  return way ? `${target} ${way}` : channel;
}

const AGAIN: Record<string, string> = { reminder: "reminder", escalation: "escalation" };

/** Why they, and why then. Of a place that many read, all is said by its name. */
export const whyWords = (delivery: Delivery): string =>
  [AGAIN[delivery.kind], isToPerson(delivery) && delivery.why].filter(Boolean).join(", ");

/** Those that somebody got or will get, in the order of their times. Webhooks follow the events, and tell nobody. */
export const toldOf = (deliveries: Delivery[]): Delivery[] =>
  deliveries
    .filter(({ channel_kind, status, due_at }) => {
      const inReserve = status === "queued" && due_at === null;
      return channel_kind !== "webhook" && status !== "cancelled" && !inReserve;
    })
    .sort((one, other) => timeOf(one) - timeOf(other));

const timeOf = ({ sent_at, due_at, created_at }: Delivery): number => Date.parse(sent_at ?? due_at ?? created_at);

/** How it stands, for what has not come through. */
export function waitingWords({ status, due_at, tries }: Delivery, now: number): string {
  if (status === "failed") return "failed";
  const due = due_at ? Date.parse(due_at) : now;
  if (status === "sending" || due <= now) return "on its way";
  return `${tries > 0 ? "tries again at" : "queued for"} ${clockWords(new Date(due), new Date(now))}`;
}

/** The time of day, and which day unless it is today. */
function clockWords(at: Date, now: Date): string {
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  if (at.toDateString() === now.toDateString()) return at.toLocaleTimeString([], time);
  return at.toLocaleString([], { weekday: "short", ...time });
}

const SOON_MS = 3_000;
// From an event to the messages about it.
const NEWS_MS = 15_000;

/** When to look again: soon after news, and when the next one is due; less and less often at one that is overdue. */
export function lookAgainMs(deliveries: Delivery[], newsAt: number, now: number): number | false {
  const waits = toldOf(deliveries).flatMap(({ status, due_at }) => {
    if (status === "sending") return [0];
    if (status !== "queued") return [];
    const left = Date.parse(due_at ?? "") - now;
    return [left > 0 ? left : -left / 4];
  });
  if (now - newsAt < NEWS_MS) waits.push(0);
  return waits.length > 0 && Math.max(SOON_MS, Math.min(...waits));
}
