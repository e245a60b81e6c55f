import { newKey } from "@/api/client";
import { type Field, isHidden, type Path, type Saved } from "./setupFields";
import { commandOf, commandText, pairsOf, pairsText } from "./setupLines";

/** What somebody writes: every field a text, by its path. */
export type Texts = Partial<Record<Path, string>>;
type Settings = Saved["settings"];

const steps = (path: Path): string[] => path.split(".").slice(1);

function settingAt(settings: Settings, path: Path): unknown {
  return steps(path).reduce<unknown>((found, step) => (found as Settings | null | undefined)?.[step], settings);
}

/** What was saved, or where a new one begins. Secrets never come back, so theirs are empty. */
export function textsOf(fields: Field[], saved?: Saved): Texts {
  const texts: Texts = {};
  for (const field of fields) {
    const known = saved && field.path.startsWith("settings.") ? settingAt(saved.settings, field.path) : undefined;
    if (field.madeUp && !saved) texts[field.path] = newKey();
    else texts[field.path] = isHidden(field) ? "" : textOf(field, known, saved) || (field.initial ?? "");
  }
  return texts;
}

function textOf({ as }: Field, known: unknown, saved?: Saved): string {
  if (as === "command") return known === undefined ? "" : commandText(known, saved?.settings.args);
  if (as === "pairs") return pairsText(known);
  if (Array.isArray(known)) return known.join(" ");
  return known == null || known === false ? "" : String(known);
}

/** Write one field, and what another one usually is then, unless somebody has given it a value of its own. */
export function withText(texts: Texts, field: Field, text: string): Texts {
  const next: Texts = { ...texts, [field.path]: text };
  const usual = field.choices?.find(({ value }) => value === text)?.usual;
  if (usual && field.choices?.some((choice) => choice.usual?.value === texts[usual.path]))
    next[usual.path] = usual.value;
  return next;
}

/** The fields that are there by what the others say. */
export const shownFields = (fields: Field[], texts: Texts): Field[] =>
  fields.filter(({ when }) => !when || texts[when.path] === when.is);

/** As the API takes it. What has no field here stays as it was saved. */
export function sentOf(fields: Field[], texts: Texts, saved?: Saved) {
  const settings: Settings = { ...saved?.settings };
  const secrets: Record<string, string> = {};
  for (const { path, as } of fields) {
    if (path.startsWith("settings.")) delete settings[steps(path)[0] ?? ""];
    if (as === "command") delete settings.args;
  }
  for (const field of shownFields(fields, texts)) {
    const text = (texts[field.path] ?? "").trim();
    const [name = "", inner] = steps(field.path);
    if (field.as === "secrets") {
      for (const [name, value] of Object.entries(pairsOf(text))) if (value) secrets[name] = value;
    } else if (field.path.startsWith("secrets.")) {
      if (text) secrets[name] = text;
      // A password without its user would never be used, nor be seen again.
      else if (field.belongsTo && !texts[field.belongsTo]?.trim() && saved?.secrets.includes(name)) secrets[name] = "";
    } else if (field.as === "command") {
      if (text) Object.assign(settings, commandOf(text));
    } else if (inner) {
      if (text && isBegun(fields, texts, name))
        settings[name] = { ...(settings[name] as Settings), [inner]: sentAs(field, text) };
    } else {
      const value = text ? sentAs(field, text) : field.as === "address" ? saved?.settings[name] : undefined;
      if (value !== undefined) settings[name] = value;
    }
  }
  return { settings, secrets };
}

/** Whether anything of this part is filled in, but for what stands there from the beginning. */
function isBegun(fields: Field[], texts: Texts, part: string): boolean {
  const own = fields.filter(({ path, initial }) => path.startsWith(`settings.${part}.`) && initial === undefined);
  return own.some(({ path }) => texts[path]?.trim());
}

function sentAs({ as }: Field, text: string): unknown {
  if (as === "events") return text.split(" ");
  if (as === "pairs") return pairsOf(text);
  if (as === "yes") return true;
  // What is no number is refused in words, at its field.
  return as === "number" && /^\d+$/.test(text) ? Number(text) : text;
}
