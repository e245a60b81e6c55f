import { type AskKind, isKind } from "@/ui/domain/askKinds";
import { isRisk, type RiskLevel } from "@/ui/domain/risk";
import { textIn } from "@/ui/list/searchParam";

export const SORTS = { oldest: "Oldest first", deadline: "Deadline first", risk: "Risk first", newest: "Newest first" };
export type Sort = keyof typeof SORTS;

export const VIEWS = { open: "Open", waiting: "Waiting for others", decided: "Decided" };
/** Beside what is open. */
export type View = "waiting" | "decided";
const isView = (value: unknown): value is View => value === "waiting" || value === "decided";
export const OUTCOMES = { approved: "Approved", denied: "Denied", answered: "Answered", expired: "Expired" };
export type Outcome = keyof typeof OUTCOMES;
const isOutcome = (value: unknown): value is Outcome => typeof value === "string" && value in OUTCOMES;

/** What the inbox shows, as it stands in the address. */
export interface InboxSearch {
  view?: View;
  /** Of what is decided: everybody's decisions, not only mine. */
  everyone?: true;
  outcome?: Outcome;
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
  /** The group whose table is open. */
  group?: string;
}

export function inboxSearch(search: Record<string, unknown>): InboxSearch {
  const decided = search.view === "decided";
  return {
    view: isView(search.view) ? search.view : undefined,
    everyone: decided && search.everyone === true ? true : undefined,
    outcome: decided && isOutcome(search.outcome) ? search.outcome : undefined,
    kind: isKind(search.kind) ? search.kind : undefined,
    risk: isRisk(search.risk) ? search.risk : undefined,
    agent: textIn(search.agent),
    mine: search.mine === true ? true : undefined,
    q: textIn(search.q),
    sort: typeof search.sort === "string" && search.sort in SORTS ? (search.sort as Sort) : undefined,
    alike: textIn(search.alike),
    grouped: search.grouped === true ? true : undefined,
    group: textIn(search.group),
  };
}

const placeOf = (user: string): string => `signoff.inbox.${user}`;

/** What this person last chose to see here. Words, one ask's likes and what is not open are for the moment. */
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

const chosenIn = ({ kind, risk, agent, mine, sort, grouped }: InboxSearch): InboxSearch => ({
  kind,
  risk,
  agent,
  mine,
  sort,
  grouped,
});

/** Whether the address asks for anything. */
export const isPlain = (search: InboxSearch): boolean => Object.values(search).every((value) => value === undefined);

/** The same as the server's query: it filters, not the page. */
export function queryOf({ view, everyone, outcome, kind, risk, agent, mine, q, sort, alike }: InboxSearch) {
  const narrowed = { kind, risk, agent, assignee: mine ? "me" : undefined, q, alike };
  if (view !== "decided") return { view: view ?? "open", ...narrowed, sort: sort ?? "oldest" } as const;
  return { view, by: everyone ? undefined : "me", status: outcome, ...narrowed } as const;
}

export function isFiltered({ outcome, kind, risk, agent, mine, q, alike }: InboxSearch): boolean {
  return [outcome, kind, risk, agent, mine, q, alike].some((value) => value !== undefined);
}

/** The view to the right of this one, and after the last the first. */
export function nextView({ view }: InboxSearch): string {
  const all = Object.keys(VIEWS);
  return all[(all.indexOf(view ?? "open") + 1) % all.length] ?? "open";
}

/** The same filters for the groups, which are of open asks. */
export function groupsQueryOf({ kind, risk, agent, mine, q, sort, alike }: InboxSearch) {
  return { kind, risk, agent, assignee: mine ? "me" : undefined, q, alike, sort: sort ?? ("oldest" as const) };
}
