/** What may be written at a place in the rules' YAML, from their JSON Schema. Pure, so that it can be tried. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  enum?: unknown[];
  description?: string;
}

export interface Offer {
  label: string;
  kind: "key" | "value";
  detail?: string;
}

export interface Offers {
  /** Where the word to be replaced begins. */
  from: number;
  offers: Offer[];
}

/** Words that the schema does not know: tools, agents, people. By the key before them. */
export type Words = Record<string, string[]>;

const KEY = /^(\s*(?:- +)*)([\w-]+):(?:\s|$)/;

export function offersAt(schema: Schema, words: Words, text: string, at: number): Offers | null {
  const lines = text.slice(0, at).split("\n");
  const line = lines.pop() ?? "";
  if (/(^|\s)#/.test(line)) return null;
  const { path, rest, indent } = inLine(line);
  const above = pathAbove(lines, indent);
  const inside = [...above, ...path];
  const value = /^([\w-]+):\s*\[?(?:[^[\]]*,\s*)?(["\w:.*@-]*)$/.exec(rest);
  if (value) {
    const [, key = "", begun = ""] = value;
    const offers = valuesOf(schema, inside, key, words);
    return offers.length > 0 ? { from: at - begun.length, offers } : null;
  }
  if (!/^[\w-]*$/.test(rest)) return null;
  const found = resolve(schema, inside);
  const offers = Object.entries(found?.properties ?? {}).map(([label, each]) => keyOffer(schema, label, each));
  return offers.length > 0 ? { from: at - rest.length, offers } : null;
}

/** The keys opened in this line by `{`, and what is being written after them. */
function inLine(line: string): { path: string[]; rest: string; indent: number } {
  const lead = /^\s*(?:- +)*/.exec(line)?.[0] ?? "";
  const path: string[] = [];
  let rest = line.slice(lead.length);
  for (let brace = openBrace(rest); brace >= 0; brace = openBrace(rest)) {
    const key = /([\w-]+):\s*$/.exec(rest.slice(0, brace))?.[1];
    if (key) path.push(key);
    const inside = rest.slice(brace + 1);
    rest = inside.slice(lastComma(inside) + 1).trimStart();
  }
  return { path, rest, indent: lead.length };
}

/** The first brace that nothing closes. */
function openBrace(text: string): number {
  const open: number[] = [];
  for (const [index, letter] of [...text].entries()) {
    if (letter === "{") open.push(index);
    if (letter === "}") open.pop();
  }
  return open[0] ?? -1;
}

function lastComma(text: string): number {
  let depth = 0;
  let last = -1;
  for (const [index, letter] of [...text].entries()) {
    if (letter === "{" || letter === "[") depth++;
    if (letter === "}" || letter === "]") depth--;
    if (letter === "," && depth === 0) last = index;
    if (letter === "{" && depth === 1) return -1;
  }
  return last;
}

/** The keys that stand less far to the right, above this line. */
function pathAbove(lines: string[], indent: number): string[] {
  const path: string[] = [];
  let limit = indent;
  for (const line of lines.toReversed()) {
    const found = KEY.exec(line);
    if (!found) continue;
    const [, lead = "", key = ""] = found;
    if (lead.length >= limit) continue;
    path.unshift(key);
    if (lead.length === 0) break;
    // A list may stand as far to the left as the key that it belongs to.
    limit = lead.includes("-") ? lead.indexOf("-") + 1 : lead.length;
  }
  return path;
}

function resolve(root: Schema, path: string[]): Schema | null {
  let here: Schema | null = plain(root, root);
  for (const key of path) here = here?.properties?.[key] ? plain(root, here.properties[key]) : null;
  return here;
}

/** The schema that counts: behind references, of a list's items, of what may be but need not. */
function plain(root: Schema, schema: Schema): Schema {
  if (schema.$ref) return plain(root, root.$defs?.[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  if (schema.anyOf) {
    const some = schema.anyOf.filter(({ type }) => type !== "null").map((each) => plain(root, each));
    return some.find(({ properties }) => properties) ?? some.find((each) => each.enum) ?? some[0] ?? {};
  }
  return schema.items ? plain(root, schema.items) : schema;
}

function keyOffer(root: Schema, label: string, schema: Schema): Offer {
  const detail = schema.description ?? plain(root, schema).description;
  return { label, kind: "key", detail };
}

function valuesOf(root: Schema, path: string[], key: string, words: Words): Offer[] {
  const schema = resolve(root, path)?.properties?.[key];
  if (!schema) return [];
  const found = plain(root, schema);
  const known = found.enum ?? (found.type === "boolean" ? ["true", "false"] : []);
  const labels = known.length > 0 ? known.map(String) : (words[key] ?? []);
  return labels.map((label) => ({ label: quoted(label), kind: "value" }));
}

/** How far to the right the next line begins: under its key, or deeper after one that opens a block. */
export function indentAfter(line: string): number {
  const lead = /^\s*(?:- +)*/.exec(line)?.[0].length ?? 0;
  return /:\s*(#.*)?$/.test(line) ? lead + 2 : lead;
}

/** Some signs mean something else in YAML. */
const quoted = (label: string): string => (/^[<>=*&!|@%]/.test(label) ? `"${label}"` : label);
