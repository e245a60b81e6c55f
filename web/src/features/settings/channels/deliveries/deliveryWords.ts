import type { Delivery } from "@/api/types";
import type { Tone } from "@/ui/Tag";
import { ago, since } from "@/ui/time/duration";
import { label } from "@/ui/values/valueFormat";

const KIND_WORDS: Record<string, string> = {
  ask: "Ask",
  completed: "Run completed",
  failed: "Run failed",
  rejected: "Run rejected",
  cancelled: "Run cancelled",
  timeout: "Run out of time",
  expiry: "Ask expired",
  auto_approved: "Approved by a rule",
  people: "Members",
  sign_in_link: "Sign-in link",
};

/** What a message tells; an event is named as programs know it. */
export const kindWords = (kind: string): string => KIND_WORDS[kind] ?? (kind.includes(".") ? kind : label(kind));

type When = Pick<Delivery, "status" | "due_at" | "sent_at" | "tries" | "together_with" | "attempts">;

/** How it stands, and when. `now` is the time of the server. */
export function statusWords(delivery: When, now: number): { words: string; tone: Tone; live?: boolean } {
  switch (delivery.status) {
    case "queued":
      return { words: queuedWords(delivery, now), tone: delivery.tries > 0 ? "warn" : "info" };
    case "sending":
      return { words: "Sending", tone: "info", live: true };
    case "sent":
      return { words: `Sent ${delivery.sent_at ? ago(since(delivery.sent_at, now)) : ""}`.trim(), tone: "good" };
    case "failed": {
      const at = delivery.attempts.at(-1)?.ended_at;
      return { words: `Failed ${at ? ago(since(at, now)) : ""}`.trim(), tone: "bad" };
    }
    case "cancelled":
      return { words: "Not needed any more", tone: "calm" };
  }
}

function queuedWords({ due_at, tries }: When, now: number): string {
  // It stands in for another one.
  if (due_at === null) return "Held back";
  const verb = tries > 0 ? "Tries again" : "Sends";
  return Date.parse(due_at) <= now ? `${verb} now` : `${verb} at ${clockWords(due_at, now)}`;
}

/** `14:05`, or on another day `Tue 14:05`. */
function clockWords(at: string, now: number): string {
  const time = new Date(at);
  const today = time.toDateString() === new Date(now).toDateString();
  const day = today ? "" : `${time.toLocaleDateString("en-GB", { weekday: "short" })} `;
  return `${day}${time.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}

const SOON_MS = 60_000;
const FAST_MS = 3_000;
const SLOW_MS = 20_000;

/** When to look again: nobody tells when a message goes out. What waits for hours is looked after less often. */
export function lookAgainMs(deliveries: Pick<Delivery, "status" | "due_at">[], now: number): number | false {
  const open = deliveries.filter(({ status }) => status === "queued" || status === "sending");
  if (open.length === 0) return false;
  const soon = ({ status, due_at }: Pick<Delivery, "status" | "due_at">): boolean =>
    status === "sending" || (due_at !== null && Date.parse(due_at) - now < SOON_MS);
  return open.some(soon) ? FAST_MS : SLOW_MS;
}
