import { newKey } from "@/api/client";
import { Problem, wordsOf } from "@/api/problems";
import type { Channel, ChannelKind } from "@/api/types";
import { type Field, fieldsOf, type Path } from "./channelForms";

export type About = Channel["about"][number];

/** A channel as somebody writes it: every field a text, by its path. */
export interface Draft {
  name: string;
  about: About[];
  texts: Partial<Record<Path, string>>;
}

type Settings = Channel["settings"];

const steps = (path: Path): string[] => path.split(".").slice(1);

function settingAt(settings: Settings, path: Path): unknown {
  return steps(path).reduce<unknown>((found, step) => (found as Settings | null | undefined)?.[step], settings);
}

/** What was saved, or where a new one begins. Secrets never come back, so theirs are empty. */
export function draftOf(kind: ChannelKind, name: string, saved?: Channel): Draft {
  const texts: Draft["texts"] = {};
  for (const field of fieldsOf(kind)) {
    const known = saved && field.path.startsWith("settings.") ? settingAt(saved.settings, field.path) : undefined;
    if (field.madeUp && !saved) texts[field.path] = newKey();
    else texts[field.path] = isHidden(field) ? "" : textOf(known) || (field.initial ?? "");
  }
  return { name: saved?.name ?? name, about: saved?.about ?? ["asks", "failures"], texts };
}

export const isHidden = ({ as }: Field): boolean => as === "secret" || as === "address";

function textOf(known: unknown): string {
  if (Array.isArray(known)) return known.join(" ");
  return known == null || known === false ? "" : String(known);
}

/** Write one field, and what another one usually is then, unless somebody has given it a value of its own. */
export function written(draft: Draft, field: Field, text: string): Draft {
  const texts: Draft["texts"] = { ...draft.texts, [field.path]: text };
  const usual = field.choices?.find(({ value }) => value === text)?.usual;
  if (usual && field.choices?.some((choice) => choice.usual?.value === draft.texts[usual.path]))
    texts[usual.path] = usual.value;
  return { ...draft, texts };
}

/** As the API takes it. What has no field here stays as it was saved. */
export function bodyOf(kind: ChannelKind, draft: Draft, saved?: Channel) {
  const fields = fieldsOf(kind);
  const settings: Settings = { ...saved?.settings };
  const secrets: Record<string, string> = {};
  for (const { path } of fields) if (path.startsWith("settings.")) delete settings[steps(path)[0] ?? ""];
  for (const field of fields) {
    const text = (draft.texts[field.path] ?? "").trim();
    const [name = "", inner] = steps(field.path);
    if (field.path.startsWith("secrets.")) {
      if (text) secrets[name] = text;
      // A password without its user would never be used, nor be seen again.
      else if (field.belongsTo && !draft.texts[field.belongsTo]?.trim() && saved?.secrets.includes(name))
        secrets[name] = "";
    } else if (inner) {
      if (text && isBegun(fields, draft, name))
        settings[name] = { ...(settings[name] as Settings), [inner]: sentAs(field, text) };
    } else {
      const value = text ? sentAs(field, text) : field.as === "address" ? saved?.settings[name] : undefined;
      if (value !== undefined) settings[name] = value;
    }
  }
  return { name: draft.name.trim(), about: draft.about, settings, secrets };
}

/** Whether anything of this part is filled in, but for what stands there from the beginning. */
function isBegun(fields: Field[], draft: Draft, part: string): boolean {
  const own = fields.filter(({ path, initial }) => path.startsWith(`settings.${part}.`) && initial === undefined);
  return own.some(({ path }) => draft.texts[path]?.trim());
}

function sentAs({ as }: Field, text: string): unknown {
  if (as === "events") return text.split(" ");
  if (as === "yes") return true;
  // What is no number is refused in words, at its field.
  return as === "number" && /^\d+$/.test(text) ? Number(text) : text;
}

export interface Refusal {
  at: Partial<Record<Path, string>>;
  /** What belongs to no field. */
  other: string | null;
}

/** What the API refused, at the fields that it is about. */
export function refusalOf(error: unknown, kind: ChannelKind): Refusal {
  if (error == null) return { at: {}, other: null };
  if (!(error instanceof Problem)) return { at: {}, other: wordsOf(error) };
  if (error.code === "channel_name_taken") return { at: { name: error.detail }, other: null };
  const fields = new Map<string, Pick<Field, "path" | "shape">>([["name", { path: "name" }]]);
  for (const field of fieldsOf(kind)) fields.set(field.path, field);
  const at: Refusal["at"] = {};
  for (const { path, message } of error.errors) {
    // A list is refused at one of its items.
    const field = fields.get(path) ?? fields.get(path.replace(/\.\d+$/, ""));
    if (!field) return { at, other: wordsOf(error) };
    at[field.path] ??= fieldWords(message, field.shape);
  }
  return { at, other: error.errors.length === 0 ? error.detail : null };
}

function fieldWords(message: string, shape?: string): string {
  if (shape && message.startsWith("String should match pattern")) return shape;
  if (message === "Field required" || message === "is missing") return "Fill this in.";
  const words = message.replace(/^Value error, /, "").replace(/([^.!?])$/, "$1.");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
