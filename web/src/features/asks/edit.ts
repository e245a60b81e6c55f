import { keepPreviousData } from "@tanstack/react-query";
import { api } from "@/api/client";
import { type FieldError, wordsOf } from "@/api/problems";
import type { Ask, Change } from "@/api/types";

type Arguments = Record<string, unknown>;
export type Parsed = { ok: true; value: Arguments } | { ok: false; message: string };

export const written = (value: unknown): string => JSON.stringify(value ?? {}, null, 2);

/** The edited text as arguments, or where it stops being JSON. */
export function parseArguments(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, message: `Not valid JSON${place(text, error)}.` };
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return { ok: false, message: "The arguments must be a JSON object: { … }." };
  return { ok: true, value: value as Arguments };
}

/** Browsers name the place in different ways, or not at all. */
function place(text: string, error: unknown): string {
  const words = error instanceof Error ? error.message : "";
  const lineColumn = /line (\d+) column (\d+)/.exec(words);
  if (lineColumn) return ` at line ${lineColumn[1]}, column ${lineColumn[2]}`;
  const position = /position (\d+)/.exec(words)?.[1];
  const before = position ? text.slice(0, Number(position)) : /end of (JSON|data)/i.test(words) ? text : null;
  if (before === null) return "";
  return ` at line ${before.split("\n").length}, column ${before.length - before.lastIndexOf("\n")}`;
}

export interface Edit {
  /** The new arguments, once they are known to be good. */
  arguments: Arguments | null;
  changes: Change[];
  errors: FieldError[];
  checking: boolean;
}

/** Check edited arguments against the tool's schema, on the server, and see what changed. */
export function useEdit(ask: Ask, text: string, settledText: string): Edit {
  const parsed = parseArguments(settledText);
  const preview = api.useQuery(
    "post",
    "/api/asks/{ask_id}/preview",
    { params: { path: { ask_id: ask.id } }, body: { arguments: parsed.ok ? parsed.value : {} } },
    { enabled: parsed.ok, placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY, retry: false },
  );
  const checking = text !== settledText || (parsed.ok && preview.isFetching);
  if (!parsed.ok) return { arguments: null, changes: [], errors: [{ path: "", message: parsed.message }], checking };
  if (preview.error)
    return { arguments: null, changes: [], errors: [{ path: "", message: wordsOf(preview.error) }], checking };
  const { diff: changes = [], errors = [] } = preview.data ?? {};
  const good = preview.isSuccess && !preview.isPlaceholderData && !checking && errors.length === 0;
  return { arguments: good && changes.length > 0 ? parsed.value : null, changes, errors, checking };
}
