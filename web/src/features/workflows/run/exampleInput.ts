import type { Values } from "@/api/types";

/** What a form holds at first: the schema's own example, or each field's default or else its first example. */
export function exampleInput(schema: Values | null | undefined): Values {
  const whole = first(schema?.examples);
  if (isObject(whole)) return whole;
  const filled: Values = {};
  for (const [name, field] of Object.entries(isObject(schema?.properties) ? schema.properties : {})) {
    const value = isObject(field) ? (field.default ?? first(field.examples)) : undefined;
    if (value !== undefined) filled[name] = value;
  }
  return filled;
}

const first = (given: unknown): unknown => (Array.isArray(given) ? given[0] : undefined);
const isObject = (given: unknown): given is Values =>
  typeof given === "object" && given !== null && !Array.isArray(given);
