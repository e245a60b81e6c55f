import { useState } from "react";
import { api } from "@/api/client";
import { placeOf } from "@/api/identity";
import type { components } from "@/api/schema";

export type Rules = components["schemas"]["RulesOut"];
export const rulesKey = api.queryOptions("get", "/api/rules", {}).queryKey;

interface Draft {
  yaml: string;
  /** The version that was edited. */
  version: number;
}

const PLACE = "signoff.rules-draft";

function kept(): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(placeOf(PLACE)) ?? "null");
  } catch {
    return null;
  }
}

/** Changes that nobody saved yet. They outlive a visit to another page. */
export function useRulesDraft(rules: Rules) {
  const [draft, setDraft] = useState<Draft | null>(kept);
  const keep = (next: Draft | null) => {
    if (next) sessionStorage.setItem(placeOf(PLACE), JSON.stringify(next));
    else sessionStorage.removeItem(placeOf(PLACE));
    setDraft(next);
  };
  const changed = draft !== null && draft.yaml !== rules.yaml;
  return {
    text: changed ? draft.yaml : rules.yaml,
    version: changed ? draft.version : rules.version,
    changed,
    change: (yaml: string) =>
      keep(yaml === rules.yaml ? null : { yaml, version: changed ? draft.version : rules.version }),
    /** Go on from the version that is in force now. */
    rebase: () => draft && keep({ ...draft, version: rules.version }),
    drop: () => keep(null),
  };
}

export type RulesDraft = ReturnType<typeof useRulesDraft>;
