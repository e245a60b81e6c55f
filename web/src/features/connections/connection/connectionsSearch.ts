import type { ConnectionKind } from "@/api/types";
import { textIn } from "@/ui/list/searchParam";

// Part of every page's address book, so that the words about each kind are not loaded for it.
const NAMES: Record<ConnectionKind, true> = { mcp: true, database: true, http: true, email: true, slack: true };
const isKind = (kind: unknown): kind is ConnectionKind => typeof kind === "string" && Object.hasOwn(NAMES, kind);

/** What of the connections is shown: all of them, one, or a new one. */
export interface ConnectionsSearch {
  /** A connection's id. */
  connection?: string;
  /** A new one, of a kind that is chosen or not yet. */
  add?: ConnectionKind | "any";
  /** The well-known server that it is for. */
  ready?: string;
}

export const connectionsSearch = (search: Record<string, unknown>): ConnectionsSearch => ({
  connection: textIn(search.connection),
  add: isKind(search.add) || search.add === "any" ? search.add : undefined,
  ready: textIn(search.ready),
});
