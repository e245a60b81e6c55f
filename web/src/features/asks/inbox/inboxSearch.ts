import { type AskKind, isKind } from "@/ui/domain/askKinds";
import { isRisk, type RiskLevel } from "@/ui/domain/risk";
import { textIn } from "@/ui/list/searchParam";

export const SORTS = { oldest: "Oldest first", deadline: "Deadline first", risk: "Risk first", newest: "Newest first" };
export type Sort = keyof typeof SORTS;

/** What the inbox shows, as it stands in the address. */
export interface InboxSearch {
  kind?: AskKind;
  risk?: RiskLevel;
  agent?: string;
  mine?: true;
  q?: string;
  sort?: Sort;
  /** An ask: it and those that are alike. */
  alike?: string;
  /** One row for asks that are alike. */
  grouped?: true;
}

export function inboxSearch(search: Record<string, unknown>): InboxSearch {
  return {
    kind: isKind(search.kind) ? search.kind : undefined,
    risk: isRisk(search.risk) ? search.risk : undefined,
    agent: textIn(search.agent),
    mine: search.mine === true ? true : undefined,
    q: textIn(search.q),
    sort: typeof search.sort === "string" && search.sort in SORTS ? (search.sort as Sort) : undefined,
    alike: textIn(search.alike),
    grouped: search.grouped === true ? true : undefined,
  };
}

const placeOf = (user: string): string => `signoff.inbox.${user}`;

/** What this person last chose to see here. Words and one ask's likes are for the moment. */
export function keptSearch(user: string): InboxSearch {
  try {
    return chosenIn(inboxSearch(JSON.parse(localStorage.getItem(placeOf(user)) ?? "{}")));
  } catch {
    return {};
  }
}

export function keepSearch(user: string, search: InboxSearch): void {
  try {
    localStorage.setItem(placeOf(user), JSON.stringify(chosenIn(search)));
  } catch {
    // It stands in the address.
  }
}

const chosenIn = ({ q: _q, alike: _alike, ...chosen }: InboxSearch): InboxSearch => chosen;

/** Whether the address asks for anything. */
export const isPlain = (search: InboxSearch): boolean => Object.values(search).every((value) => value === undefined);

/** The same as the server's query: it filters, not the page. */
export function queryOf({ kind, risk, agent, mine, q, sort, alike }: InboxSearch) {
  return { status: "pending", kind, risk, agent, assignee: mine ? "me" : undefined, q, alike, sort: sort ?? "oldest" };
}

export function isFiltered({ kind, risk, agent, mine, q, alike }: InboxSearch): boolean {
  return [kind, risk, agent, mine, q, alike].some((value) => value !== undefined);
}
