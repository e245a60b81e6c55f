import type { components } from "@/api/schema";

type Delegation = components["schemas"]["DelegationOut"];

const day = (at: string): string => new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short" });

/** What somebody must know of a delegation while it holds, and no more than it does; nothing of what is about others. */
export function awayWords({ absent, deputy, ends_at, active }: Delegation, me: string): string | null {
  if (!active) return null;
  if (deputy.email === me) return `${absent.name} is away until ${day(ends_at)}. Asks that name them come to you, too.`;
  return absent.email === me
    ? `You are away until ${day(ends_at)}. Asks that name you go to ${deputy.name}, too.`
    : null;
}
