import { keepPreviousData } from "@tanstack/react-query";
import { lazy } from "react";
import { api } from "@/api/client";
import { type FieldError, isUnreachable, wordsOf } from "@/api/problems";
import type { Ask, Change, EffectPreview, Values } from "@/api/types";
import { changesBetween } from "./argumentChanges";

/** Forms and code editors come when somebody edits, not before. */
export const ValueEditor = lazy(() => import("@/ui/editor/ValueEditor"));

/** What does not fit the schema, before it is sent. A field that was cleared is one that is not there. */
export async function problemsIn(schema: object | null | undefined, values: Values): Promise<FieldError[]> {
  const { problemsOf } = await import("@/ui/editor/schemaErrors");
  return problemsOf(schema ?? {}, JSON.parse(JSON.stringify(values)));
}

export interface EditedValues {
  /** What is edited, or nothing while it cannot be read. */
  values: Values | null;
  problem: string | null;
}

export interface Edit {
  /** The new arguments, as soon as they may be sent. */
  arguments: Values | null;
  changes: Change[];
  errors: FieldError[];
  checking: boolean;
  /** Nobody can check them now: the server does when they arrive. */
  unchecked: boolean;
  /** What they would change. */
  preview?: EffectPreview | null;
}

/** What the server says of a draft. */
interface Preview {
  data?: { errors: FieldError[] };
  error?: unknown;
  fetchStatus: "fetching" | "paused" | "idle";
  isPlaceholderData: boolean;
}

/** Check edited arguments against the tool's schema, on the server. */
export function useEdit(ask: Ask, draft: EditedValues, settled: EditedValues, open: boolean): Edit {
  const { values } = settled;
  const preview = api.useQuery(
    "post",
    "/api/asks/{ask_id}/preview",
    { params: { path: { ask_id: ask.id } }, body: { arguments: values ?? {} } },
    {
      enabled: open && values !== null,
      placeholderData: keepPreviousData,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
  );
  const shown = preview.isPlaceholderData ? null : preview.data?.preview;
  return { ...judgeEdit(ask.arguments, draft, settled, preview), preview: shown };
}

/** What may be sent. Whether anything changed is seen here: an answer that never came must not mean "no". */
export function judgeEdit(before: Values | null, draft: EditedValues, settled: EditedValues, preview: Preview): Edit {
  const typing = draft !== settled;
  const none = { arguments: null, changes: [], checking: typing, unchecked: false };
  if (settled.values === null)
    return { ...none, errors: [{ path: "", message: settled.problem ?? "This can't be read." }] };
  const changes = changesBetween(before ?? {}, settled.values);
  const unchecked = preview.fetchStatus === "paused" || isUnreachable(preview.error);
  if (preview.error && !unchecked) return { ...none, changes, errors: [{ path: "", message: wordsOf(preview.error) }] };
  const known = preview.data && !preview.isPlaceholderData && preview.fetchStatus === "idle";
  const checking = typing || !(known || unchecked);
  const errors = unchecked ? [] : (preview.data?.errors ?? []);
  const good = !checking && errors.length === 0 && changes.length > 0;
  return { arguments: good ? settled.values : null, changes, errors, checking, unchecked };
}
