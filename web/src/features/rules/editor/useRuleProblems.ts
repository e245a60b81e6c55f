import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { api } from "@/api/client";
import type { components } from "@/api/schema";

export type RuleProblem = components["schemas"]["RuleProblemOut"];

const PAUSE_MS = 350;

/** What is wrong with a text of rules, and what could not work, a moment after it was typed. */
export function useRuleProblems(yaml: string): {
  problems: RuleProblem[];
  warnings: RuleProblem[];
  checking: boolean;
  error: unknown;
} {
  const [settled] = useDebouncedValue(yaml, PAUSE_MS);
  const check = api.useQuery(
    "post",
    "/api/rules/check",
    { body: { yaml: settled } },
    { placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY, gcTime: 60_000, retry: false },
  );
  return {
    problems: check.data?.errors ?? NONE,
    warnings: check.data?.warnings ?? NONE,
    checking: settled !== yaml || check.isFetching,
    error: check.error,
  };
}

const NONE: RuleProblem[] = [];
