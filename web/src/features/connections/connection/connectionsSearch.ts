import type { ConnectionKind } from "@/api/types";
import { textIn } from "@/ui/list/searchParam";
import { isKind } from "./connectionKinds";

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
