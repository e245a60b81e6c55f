import { expect, test } from "vitest";
import { exampleInput } from "./exampleInput";

test("a form holds the default of a field, or else its first example", () => {
  const properties = {
    ticket: { type: "string", examples: ["CS-1234", "CS-1235"] },
    priority: { type: "integer", default: 3, examples: [1] },
    note: { type: "string" },
    late: { type: "boolean", default: false },
  };
  expect(exampleInput({ properties })).toEqual({ ticket: "CS-1234", priority: 3, late: false });
});

test("the example of the whole counts more than those of its fields", () => {
  const schema = { examples: [{ ticket: "CS-1" }], properties: { ticket: { examples: ["CS-2"] } } };
  expect(exampleInput(schema)).toEqual({ ticket: "CS-1" });
});

test("without examples the form is empty", () => {
  expect(exampleInput(null)).toEqual({});
  expect(exampleInput({ properties: { ticket: { type: "string" } }, examples: ["no object"] })).toEqual({});
});
