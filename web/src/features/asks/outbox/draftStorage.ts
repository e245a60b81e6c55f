import { placeOf } from "@/api/identity";
import type { Draft } from "./answerDrafts";

const PLACE = "signoff.drafts";
const MOST = 50;

/** What this tab kept before it was reloaded. What another person wrote here is not shown to the next. */
export function readDrafts(): [string, Draft][] {
  try {
    const drafts = JSON.parse(sessionStorage.getItem(placeOf(PLACE)) ?? "[]");
    return Array.isArray(drafts) ? drafts : [];
  } catch {
    return [];
  }
}

/** Keep the latest for the next start of this tab. A browser without room for them keeps them as long as the page. */
export function storeDrafts(drafts: ReadonlyMap<string, Draft>): void {
  try {
    if (drafts.size === 0) sessionStorage.removeItem(placeOf(PLACE));
    else sessionStorage.setItem(placeOf(PLACE), JSON.stringify([...drafts].slice(-MOST)));
  } catch {
    // It is still in memory.
  }
}
