import { keepPreviousData } from "@tanstack/react-query";
import { lazy } from "react";
import { api } from "@/api/client";
import { type FieldError, wordsOf } from "@/api/problems";
import type { Ask, Change } from "@/api/types";

export type Values = Record<string, unknown>;

/** Forms and code editors come when somebody edits, not before. */
export const ValueEditor = lazy(() => import("@/ui/edit/ValueEditor"));

export interface Draft {
  /** What is edited, or nothing while it cannot be read. */
  values: Values | null;
  problem: string | null;
}

export interface Edit {
  /** The new arguments, once they are known to be good. */
  arguments: Values | null;
  changes: Change[];
  errors: FieldError[];
  checking: boolean;
}

/** Check edited arguments against the tool's schema, on the server, and see what changed. */
export function useEdit(ask: Ask, draft: Draft, settled: Draft): Edit {
  const { values } = settled;
  const preview = api.useQuery(
    "post",
    "/api/asks/{ask_id}/preview",
    { params: { path: { ask_id: ask.id } }, body: { arguments: values ?? {} } },
    {
      enabled: values !== null,
      placeholderData: keepPreviousData,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
  );
  const checking = draft !== settled || (values !== null && preview.isFetching);
  const wrong = (message: string) => ({ arguments: null, changes: [], errors: [{ path: "", message }], checking });
  if (values === null) return wrong(settled.problem ?? "This cannot be read.");
  if (preview.error) return wrong(wordsOf(preview.error));
  const { diff: changes = [], errors = [] } = preview.data ?? {};
  const good = preview.isSuccess && !preview.isPlaceholderData && !checking && errors.length === 0;
  return { arguments: good && changes.length > 0 ? values : null, changes, errors, checking };
}

/** What differs between two objects, name by name; objects inside are compared in turn. */
export function changesBetween(before: unknown, after: unknown, path = ""): Change[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changesBetween(before[name], after[name], path ? `${path}.${name}` : name));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return [{ path, change, original: before, modified: after }];
}

const isObject = (value: unknown): value is Values =>
  value !== null && typeof value === "object" && !Array.isArray(value);
