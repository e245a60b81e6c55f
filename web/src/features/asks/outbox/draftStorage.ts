import { IDENTITY } from "@/api/identity";
import type { Draft } from "./answerDrafts";

const PLACE = "signoff.drafts";
const MOST = 50;

/** What this tab kept before it was reloaded. What another person wrote here is not shown to the next. */
export function readDrafts(): [string, Draft][] {
  try {
    const { user, drafts } = JSON.parse(sessionStorage.getItem(PLACE) ?? "{}");
    return user === localStorage.getItem(IDENTITY) && Array.isArray(drafts) ? drafts : [];
  } catch {
    return [];
  }
}

/** Keep the latest for the next start of this tab. A browser without room for them keeps them as long as the page. */
export function storeDrafts(drafts: ReadonlyMap<string, Draft>): void {
  try {
    const kept = { user: localStorage.getItem(IDENTITY), drafts: [...drafts].slice(-MOST) };
    if (drafts.size === 0) sessionStorage.removeItem(PLACE);
    else sessionStorage.setItem(PLACE, JSON.stringify(kept));
  } catch {
    // It is still in memory.
  }
}
