import type { Ask } from "@/api/types";

export type Way = "modal" | "toast" | "notification" | "nothing";

interface Situation {
  /** The path that is shown. */
  path: string;
  hidden: boolean;
  /** Somebody is writing: nothing may jump in front of them. */
  typing: boolean;
}

/** How a new ask is brought to the person in front of this page. */
export function wayFor(ask: Pick<Ask, "run_id" | "blocking" | "status">, { path, hidden, typing }: Situation): Way {
  if (ask.status !== "pending") return "nothing";
  if (hidden) return "notification";
  // The inbox shows it by itself.
  if (path === "/inbox" || path.startsWith("/asks/")) return "nothing";
  if (path === `/runs/${ask.run_id}`) return ask.blocking && !typing ? "modal" : "nothing";
  return ask.blocking ? "toast" : "nothing";
}
