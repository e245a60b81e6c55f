import { expect, it } from "vitest";
import { matchFields } from "./matchFields";

const schema = (properties: Record<string, { type: string }>) => ({ type: "object", properties });
const definition = {
  slug: "a",
  name: "A",
  input_schema: schema({ ticket: { type: "string" }, amount: { type: "string" } }),
  steps: [
    { id: "read", agent: "reader" },
    { id: "pay", workflow: "payment", input: { note: { const: "kept" } } },
  ],
};
const schemas = { reader: schema({ ticket: { type: "string" }, amount: { type: "integer" } }) };

it("matches where names and types agree, the nearest step first", () => {
  const wanted = schema({
    ticket: { type: "string" },
    amount: { type: "number" },
    note: { type: "string" },
    other: { type: "string" },
  });
  expect(matchFields(definition, "pay", wanted, schemas)).toEqual({
    ticket: "steps.read.ticket",
    amount: "steps.read.amount",
  });
});

it("does not match another type", () => {
  expect(matchFields(definition, "pay", schema({ ticket: { type: "boolean" } }), schemas)).toEqual({});
});
