import { Problem, wordsOf } from "@/api/problems";
import type { Field, Path } from "./setupFields";

export interface Refusal {
  at: Partial<Record<Path, string>>;
  /** What belongs to no field. */
  other: string | null;
}

/** What the API refused, at the fields that it is about. */
export function refusalOf(error: unknown, known: Field[], nameTaken: string): Refusal {
  if (error == null) return { at: {}, other: null };
  if (!(error instanceof Problem)) return { at: {}, other: wordsOf(error) };
  if (error.code === nameTaken) return { at: { name: error.detail }, other: null };
  const fields = new Map<string, Pick<Field, "path" | "shape">>([["name", { path: "name" }]]);
  for (const field of known) fields.set(field.path, field);
  const at: Refusal["at"] = {};
  for (const { path, message } of error.errors) {
    // A list is refused at one of its items, a value at its name.
    const field = fields.get(path) ?? fields.get(path.replace(/\.[^.]+$/, ""));
    if (!field) return { at, other: wordsOf(error) };
    at[field.path] ??= fieldWords(message, field.shape);
  }
  return { at, other: error.errors.length === 0 ? error.detail : null };
}

function fieldWords(message: string, shape?: string): string {
  if (shape && message.startsWith("String should match pattern")) return shape;
  if (message === "is missing") return "Fill this in.";
  const words = message.replace(/([^.!?])$/, "$1.");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
