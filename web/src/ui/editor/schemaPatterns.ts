type Schema = Record<string, unknown>;

// Under these, keys are names that the schema's author chose; `pattern` may be one of them.
const NAMED = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
// Values, not schemas.
const PLAIN = new Set(["enum", "const", "default", "examples"]);
// Formats that are told by a pattern that can take long.
const SLOW_FORMATS = new Set(["regex", "url", "uri-template"]);

const known = new WeakMap<object, Schema>();

/**
 * A schema without its patterns. An agent may have written them, and a browser's RegExp goes back and forth on
 * `^(a+)+$` for ever. The server tells whether a value matches: its patterns take no longer than the text is long.
 */
export function withoutPatterns(schema: object): Schema {
  const before = known.get(schema);
  if (before) return before;
  const made = stripped(schema) as Schema;
  known.set(schema, made);
  return made;
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (typeof value !== "object" || value === null) return value;
  const schema = value as Schema;
  const named = typeof schema.patternProperties === "object";
  const kept = Object.entries(schema).filter(([word, part]) => !isPattern(word, part) && !(named && isRest(word)));
  return Object.fromEntries(kept.map(([word, part]) => [word, inside(word, part)]));
}

function inside(word: string, part: unknown): unknown {
  if (PLAIN.has(word)) return part;
  if (NAMED.has(word) && typeof part === "object" && part !== null)
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, stripped(each)]));
  return stripped(part);
}

const isPattern = (word: string, part: unknown): boolean =>
  word === "pattern" || word === "patternProperties" || (word === "format" && SLOW_FORMATS.has(String(part)));

/** What is left when some keys go by pattern cannot be told without the patterns. */
const isRest = (word: string): boolean => word === "additionalProperties" || word === "unevaluatedProperties";
