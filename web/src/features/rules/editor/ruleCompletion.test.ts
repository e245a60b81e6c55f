import { expect, test } from "vitest";
import { indentAfter, offersAt, type Schema } from "./ruleCompletion";

const SCHEMA: Schema = {
  $defs: {
    Rule: {
      properties: {
        name: { type: "string" },
        trigger: { $ref: "#/$defs/Trigger" },
        action: { properties: { deny: { type: "boolean" }, on_timeout: { type: "string" } } },
      },
    },
    Trigger: {
      properties: {
        risk_level: { type: "array", items: { enum: ["low", "high"] } },
        tool: { type: "array", items: { type: "string" } },
        cost: { anyOf: [{ type: "null" }, { properties: { operator: { enum: [">", "<"] } } }] },
      },
    },
  },
  properties: {
    version: { type: "string" },
    checkpoints: { type: "array", items: { $ref: "#/$defs/Rule" }, description: "The rules" },
  },
};

function offered(text: string): string[] {
  const at = text.indexOf("¦");
  const found = offersAt(SCHEMA, { tool: ["send_email", "*_file"] }, text.replace("¦", ""), at);
  return found?.offers.map(({ label }) => label) ?? [];
}

test("at the left edge stand the sections", () => {
  expect(offered("¦")).toEqual(["version", "checkpoints"]);
  expect(offered("version: 1\nche¦")).toEqual(["version", "checkpoints"]);
});

test("inside a rule stand its keys", () => {
  expect(offered("checkpoints:\n  - ¦")).toEqual(["name", "trigger", "action"]);
  expect(offered("checkpoints:\n  - name: x\n    ¦")).toEqual(["name", "trigger", "action"]);
  expect(offered("checkpoints:\n- name: x\n  tr¦")).toEqual(["name", "trigger", "action"]);
});

test("inside a block stand the block's keys, not those of its neighbours", () => {
  expect(offered("checkpoints:\n  - name: x\n    trigger:\n      ¦")).toEqual(["risk_level", "tool", "cost"]);
  expect(offered("checkpoints:\n  - trigger:\n      tool: a\n    action:\n      ¦")).toEqual(["deny", "on_timeout"]);
  expect(offered("checkpoints:\n  - name: x\n    trigger: {to¦")).toEqual(["risk_level", "tool", "cost"]);
  expect(offered("checkpoints:\n  - trigger: {risk_level: [low, high], cost: {op¦")).toEqual(["operator"]);
});

test("values come from the schema, or from the workspace", () => {
  const rule = "checkpoints:\n  - name: x\n    trigger:\n      ";
  expect(offered(`${rule}risk_level: ¦`)).toEqual(["low", "high"]);
  expect(offered(`${rule}risk_level: [low, h¦`)).toEqual(["low", "high"]);
  expect(offered(`${rule}tool: se¦`)).toEqual(["send_email", '"*_file"']);
  expect(offered(`${rule}cost: {operator: ¦`)).toEqual(['">"', '"<"']);
  expect(offered("checkpoints:\n  - action: {deny: ¦")).toEqual(["true", "false"]);
});

test("comments and free text are left alone", () => {
  expect(offered("# che¦")).toEqual([]);
  expect(offered("checkpoints:\n  - name: La¦")).toEqual([]);
});

test("a new line begins under the key before it, or inside it", () => {
  expect(indentAfter("checkpoints:")).toBe(2);
  expect(indentAfter('  - name: "Large refunds"')).toBe(4);
  expect(indentAfter("    trigger:")).toBe(6);
  expect(indentAfter("      tool: send_email")).toBe(6);
});
