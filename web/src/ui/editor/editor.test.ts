import { describe, expect, it } from "vitest";
import { parseExactly } from "@/api/exactIntegers";
import { parse, written } from "./editedText";
import { problemsOf } from "./schemaErrors";
import { withoutPatterns } from "./schemaPatterns";

const SCHEMA = {
  type: "object",
  properties: {
    to: { type: "string", minLength: 1 },
    copies: { type: "integer", minimum: 1 },
    kind: { enum: ["a", "b"] },
    place: { $ref: "#/$defs/place" },
  },
  required: ["to"],
  additionalProperties: false,
  $defs: { place: { type: "object", properties: { city: { type: "string" } } } },
};

describe("a value against its schema", () => {
  it.each<[unknown, string, string]>([
    [{}, "to", "is required"],
    [{ to: undefined }, "to", "is required"],
    [{ to: "" }, "to", "must not be empty"],
    [{ to: "x", copies: 0 }, "copies", "must be at least 1"],
    [{ to: "x", copies: "two" }, "copies", "must be an integer"],
    [{ to: "x", kind: "c" }, "kind", "is not one of the allowed values"],
    [{ to: "x", place: { city: 3 } }, "place.city", "must be a string"],
  ])("%j: %s %s", (value, path, message) => {
    expect(problemsOf(SCHEMA, value)).toContainEqual({ path, message });
  });
  it("fits", () => expect(problemsOf(SCHEMA, { to: "x", copies: 2, place: { city: "Bern" } })).toEqual([]));
});

describe("a pattern that an agent wrote", () => {
  const slow = "^(a+)+$";
  const value = { a: `${"a".repeat(40)}!`, [`${"a".repeat(40)}?`]: 1 };
  it("is never tried in the browser", () => {
    const schema = {
      properties: { a: { type: "string", pattern: slow } },
      patternProperties: { [slow]: { type: "string" } },
      additionalProperties: false,
      allOf: [{ propertyNames: { pattern: slow } }],
    };
    expect(problemsOf(schema, value)).toEqual([]);
    expect(JSON.stringify(withoutPatterns(schema))).not.toContain(slow);
  });
  it("leaves fields that are only named so", () => {
    const schema = {
      properties: { pattern: { type: "string" } },
      additionalProperties: false,
      default: { pattern: "x" },
    };
    expect(withoutPatterns(schema)).toEqual(schema);
    expect(problemsOf(schema, { pattern: 3 })).toEqual([{ path: "pattern", message: "must be a string" }]);
  });
});

describe("text to edit", () => {
  const value = { path: "a.md", deep: { list: [1, "two"] }, text: "one\ntwo" };
  it.each(["json", "yaml"] as const)("comes back from %s as it went in", (language) => {
    expect(parse(written(value, language), language)).toEqual({ ok: true, value });
  });
  it.each(["json", "yaml"] as const)("keeps an integer in %s that JavaScript would round", (language) => {
    const account = parseExactly('{"account":12345678901234567890,"small":7}');
    const text = written(account, language);
    expect(text).toContain("12345678901234567890");
    expect(parse(text, language)).toEqual({ ok: true, value: account });
    expect(problemsOf({ properties: { account: { type: "integer" } } }, account)).toEqual([]);
  });
  it("says where YAML goes wrong", () => {
    expect(parse("a: 1\nb: [1", "yaml")).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^Not valid YAML at line 2/),
    });
  });
});
