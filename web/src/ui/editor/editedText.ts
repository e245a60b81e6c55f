import { LineCounter, parseDocument, stringify } from "yaml";
import { fromBigInt, mapExact, parseExactly, writeExactly } from "@/api/exactIntegers";
import type { Values } from "@/api/types";
import type { Language } from "./useCodeEditor";

export type Parsed = { ok: true; value: Values } | { ok: false; message: string; at?: number };

/** A value as text to edit. */
export function written(value: unknown, language: Language = "json"): string {
  return language === "json"
    ? writeExactly(value ?? {}, 2)
    : stringify(
        mapExact(value ?? {}, (integer) => integer),
        { lineWidth: 0 },
      );
}

/** Edited text as an object, or where it stops being JSON or YAML. */
export function parse(text: string, language: Language = "json"): Parsed {
  const read = language === "json" ? readJson(text) : readYaml(text);
  if (!read.ok) return read;
  const { value } = read;
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return { ok: false, message: "It must be an object with names and values." };
  return { ok: true, value: value as Values };
}

type Read = { ok: true; value: unknown } | { ok: false; message: string; at?: number };

function readJson(text: string): Read {
  try {
    return { ok: true, value: parseExactly(text) };
  } catch (error) {
    const at = position(text, error instanceof Error ? error.message : "");
    return { ok: false, message: `Not valid JSON${at === undefined ? "" : place(text, at)}.`, at };
  }
}

function readYaml(text: string): Read {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, intAsBigInt: true });
  const [wrong] = document.errors;
  if (!wrong)
    return {
      ok: true,
      value: document.toJS({ reviver: (_, value) => (typeof value === "bigint" ? fromBigInt(value) : value) }),
    };
  const at = wrong.pos[0];
  return { ok: false, message: `Not valid YAML${place(text, at)}: ${wrong.message}.`, at };
}

/** Browsers name the place in different ways, or not at all. */
function position(text: string, words: string): number | undefined {
  const lineColumn = /line (\d+) column (\d+)/.exec(words);
  if (lineColumn) {
    const before = text.split("\n").slice(0, Number(lineColumn[1]) - 1);
    return before.join("\n").length + (before.length > 0 ? 1 : 0) + Number(lineColumn[2]) - 1;
  }
  const found = /position (\d+)/.exec(words)?.[1];
  if (found) return Number(found);
  return /end of (JSON|data)/i.test(words) ? text.length : undefined;
}

function place(text: string, at: number): string {
  const before = text.slice(0, at);
  return ` at line ${before.split("\n").length}, column ${before.length - before.lastIndexOf("\n")}`;
}
