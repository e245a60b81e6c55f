import type { Ask } from "@/api/types";
import { barFor, type Person, refusalFor } from "../decision/mayDecide";

export type Way = "modal" | "toast" | "notification" | "nothing";

interface Situation {
  /** The path that is shown. */
  path: string;
  hidden: boolean;
  /** Somebody is writing, or has begun to decide this ask on the page: nothing may jump in front of them. */
  busy: boolean;
}

/** How a new ask is brought to the person in front of this page. */
export function wayFor(ask: Pick<Ask, "run_id" | "blocking" | "status">, { path, hidden, busy }: Situation): Way {
  if (ask.status !== "pending") return "nothing";
  if (hidden) return "notification";
  // The inbox shows it by itself.
  if (path === "/inbox" || path.startsWith("/asks/")) return "nothing";
  if (path === `/runs/${ask.run_id}`) return ask.blocking && !busy ? "modal" : "nothing";
  return ask.blocking ? "toast" : "nothing";
}

// More would fill the page: the older ones are in the inbox.
const TOASTS = 2;

/** The toasts that stay when another comes, and those that make room. */
export function piled(toasts: Ask[], ask: Ask): { kept: Ask[]; gone: Ask[] } {
  const all = [...toasts.filter(({ id }) => id !== ask.id), ask];
  return { kept: all.slice(-TOASTS), gone: all.slice(0, -TOASTS) };
}

/** Asks that want the page, one after the other: what stands under somebody's hand is not replaced. */
export const queued = (queue: Ask[], ask: Ask): Ask[] =>
  queue.some(({ id }) => id === ask.id) ? queue : [...queue, ask];

/** One was settled elsewhere. The one on screen stays, and says by whom. */
export const withoutSettled = ([shown, ...waiting]: Ask[], askId: string): Ask[] =>
  shown ? [shown, ...waiting.filter(({ id }) => id !== askId)] : [];

// What must be read first is not approved from a toast.
const AT_A_GLANCE = new Set(["low", "medium"]);

/** Whether this person can approve it without opening it. */
export const approvableAtAGlance = (me: Person, ask: Ask): boolean =>
  ask.kind === "approval" &&
  AT_A_GLANCE.has(ask.risk?.level ?? "high") &&
  refusalFor(me, ask) === null &&
  barFor(me, ask) === null;
