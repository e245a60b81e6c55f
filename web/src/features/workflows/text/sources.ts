import type { Source } from "@/api/workflows/workflows";

export type SourceKind = "path" | "const" | "template";

export function kindOf(source: Source): SourceKind {
  if (typeof source === "string" || "path" in source) return "path";
  return "const" in source ? "const" : "template";
}

/** A value as one would type it: plain words as they are, all else as JSON. */
export function typed(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" && !isJson(value) ? value : JSON.stringify(value);
}

/** What somebody typed: JSON where it is JSON, else the words. */
export function readTyped(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isJson = (text: string): boolean => readTyped(text) !== text;

export function textOf(source: Source): string {
  if (typeof source === "string") return source;
  if ("path" in source) return source.path;
  return "const" in source ? typed(source.const) : source.template;
}

export const defaultOf = (source: Source): string =>
  typeof source === "object" && "path" in source ? typed(source.default) : "";

/** A source of a kind from what was typed; a path without a default is written short. */
export function sourceOf(kind: SourceKind, text: string, otherwise = ""): Source {
  if (kind === "const") return { const: readTyped(text) };
  if (kind === "template") return { template: text };
  return otherwise === "" ? text : { path: text, default: readTyped(otherwise) };
}
