import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { mapExact } from "@/api/exactIntegers";
import type { FieldError } from "@/api/problems";
import { withoutPatterns } from "./schemaPatterns";

// They only say that something inside them is wrong, which says it better itself.
const WRAPPERS = new Set(["properties", "items", "prefixItems", "$ref", "allOf", "additionalProperties"]);

/** What does not fit the schema, in words and with its place (`a.b.0`). Needs no `eval`, so a strict CSP allows it. */
export function problemsOf(schema: object, value: unknown): FieldError[] {
  const { valid, errors } = new Validator(withoutPatterns(schema) as Schema, "2020-12", false).validate(rounded(value));
  if (valid) return [];
  const specific = errors.filter(({ keyword }) => !WRAPPERS.has(keyword)).map(problemOf);
  const found = specific.length > 0 ? specific : errors.map(problemOf);
  return found.filter(
    (one, index) => found.findIndex((other) => other.path === one.path && other.message === one.message) === index,
  );
}

export const fits = (schema: object, value: unknown): boolean =>
  new Validator(withoutPatterns(schema) as Schema, "2020-12").validate(rounded(value)).valid;

/** A schema knows numbers only; whether one fits does not hang on its last digits. */
const rounded = (value: unknown): unknown => mapExact(value, Number);

function problemOf({ keyword, instanceLocation, error }: OutputUnit): FieldError {
  const path = instanceLocation.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
  const named = /"([^"]+)"/.exec(error)?.[1];
  if (keyword === "required" && named) path.push(named);
  return { path: path.join("."), message: wordsFor(keyword, error) };
}

function wordsFor(keyword: string, error: string): string {
  const number = /(-?\d+(?:\.\d+)?)\)?\.?$/.exec(error)?.[1];
  switch (keyword) {
    case "required":
      return "is required";
    case "type":
      return `must be ${article(/Expected "([^"]+)"/.exec(error)?.[1] ?? "of another type")}`;
    case "minLength":
      return number === "1" ? "must not be empty" : `needs at least ${number} characters`;
    case "maxLength":
      return `has more than ${number} characters`;
    case "minimum":
      return `must be at least ${number}`;
    case "maximum":
      return `must be at most ${number}`;
    case "exclusiveMinimum":
      return `must be more than ${number}`;
    case "exclusiveMaximum":
      return `must be less than ${number}`;
    case "format":
      return `is not a valid ${/format "([^"]+)"/.exec(error)?.[1] ?? "value"}`;
    case "enum":
    case "const":
      return "is not one of the allowed values";
    case "false":
      return "is not expected";
    default:
      return error.replace(/^Instance /, "").replace(/\.$/, "");
  }
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
