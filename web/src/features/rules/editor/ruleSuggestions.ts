import { useQuery } from "@tanstack/react-query";
import { http } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import type { components } from "@/api/schema";
import type { Rules } from "./rulesDraft";

export const suggestionsKey = keyOf("/api/rules/suggestions");

export interface Suggestions {
  /** The rules that each suggestion adds one to: accepting it may not undo what was saved since. */
  base: Rules;
  items: components["schemas"]["SuggestionOut"][];
}

async function read(): Promise<Suggestions> {
  // The rules first: what is saved between the two answers then leads to a refusal, not to a loss.
  const base = (await http.GET("/api/rules")).data as Rules;
  const found = (await http.GET("/api/rules/suggestions")).data;
  return { base, items: found?.items ?? [] };
}

/** Rules that people proposed, or that the record speaks for. */
export const useSuggestions = () => useQuery({ queryKey: suggestionsKey, queryFn: read });

/** What accepting sends: the whole text, in force only if nobody saved since it was made. */
export const acceptance = ({ base }: Suggestions, { yaml, name }: Suggestions["items"][number]) => ({
  yaml,
  version: base.version,
  note: `Suggestion: ${name}`,
});
