import { expect, it } from "vitest";
import { changeRule } from "../ruleText/changeRule";
import { actionOf, rulesInWords } from "../sentences/ruleSentences";
import { deedChanges, roundChanges, stageParts, stagesOf, timeoutChanges, unitOf } from "./actions";
import {
  addedCondition,
  choicesOf,
  conditionsOf,
  fittingValue,
  isTaken,
  typedValue,
  withCondition,
} from "./conditions";

const SCHEMA = {
  $defs: {
    Trigger: {
      properties: {
        tool: { type: "array", items: { type: "string" } },
        impact: { type: "array", items: { $ref: "#/$defs/Impact" } },
        reversible: { anyOf: [{ type: "boolean" }, { type: "null" }] },
        strange: { type: "object" },
      },
    },
    Impact: { type: "string", enum: ["reaches_people", "moves_money"] },
  },
};
const CHOICES = choicesOf(SCHEMA);
const choice = (key: string) => CHOICES.find((each) => each.key === key) as (typeof CHOICES)[number];

it("what the format has beyond the menus is offered by its shape", () => {
  expect(choice("impact")).toMatchObject({
    kind: "words",
    label: "Impact",
    options: ["reaches_people", "moves_money"],
  });
  expect(choice("reversible")).toMatchObject({ kind: "yesNo" });
  expect(choice("strange")).toBeUndefined();
});

it.each<[Record<string, unknown>, string[]]>([
  [{ tool: "x", risk_level: ["low", "high"] }, ["words", "words"]],
  [{ confidence: ">= 0.8", cost: { operator: ">", value: 5 } }, ["figure", "figure"]],
  [{ agent_confidence: "< 0.5", confidence: "soon" }, ["figure", "text"]],
  [
    {
      data_threshold: [
        { field: "a", operator: ">", value: 1 },
        { field: "b", operator: "in", value: [1, "x"] },
      ],
    },
    ["field", "field"],
  ],
  [{ custom_field: { field: "a", operator: "exists" } }, ["field"]],
  [{ data_threshold: { field: "a", operator: "==", value: { b: 1 } } }, ["text"]],
  [{ hours: { timezone: "UTC", monday_friday: "09:00-17:00" } }, ["hours"]],
  [{ outside_hours: { monday: "09:00-17:00" } }, ["text"]],
  [{ reversible: true, strange: { a: 1 }, moon: "full" }, ["yesNo", "text", "text"]],
  [{ tool: { a: 1 } }, ["text"]],
])("each condition is chosen by its own kind of field, or written: %j", (trigger, kinds) => {
  expect(conditionsOf(trigger, CHOICES).map(({ kind }) => kind)).toEqual(kinds);
});

it.each([
  ["one word stays one", { tool: "a" }, 0, ["b"], "b"],
  ["a list stays a list", { tool: ["a"] }, 0, ["b"], ["b"]],
  ["one becomes several", { tool: "a" }, 0, ["a", "b"], ["a", "b"]],
  ["gone", { tool: "a" }, 0, undefined, undefined],
  ["a field of one", { data_threshold: { field: "a" } }, 0, { field: "b" }, { field: "b" }],
  [
    "a field of several",
    { data_threshold: [{ field: "a" }, { field: "b" }] },
    1,
    { field: "c" },
    [{ field: "a" }, { field: "c" }],
  ],
  ["a field of several leaves", { data_threshold: [{ field: "a" }, { field: "b" }] }, 0, undefined, [{ field: "b" }]],
  ["the last field leaves", { data_threshold: { field: "a" } }, 0, undefined, undefined],
])("%s", (_, trigger, at, value, expected) => {
  const [key = ""] = Object.keys(trigger);
  const kind = key === "tool" ? "words" : "field";
  expect(withCondition(trigger, { key, index: at, kind, value: null }, value)).toEqual(expected);
});

it("a new condition has something in it, and only a field can come twice", () => {
  const words = { tool: ["send_message"] };
  expect(CHOICES.map((each) => [each.key, addedCondition({}, each, words, "UTC")])).toMatchInlineSnapshot(`
    [
      [
        "tool",
        "send_message",
      ],
      [
        "operation_type",
        "*",
      ],
      [
        "risk_level",
        "high",
      ],
      [
        "agent",
        "*",
      ],
      [
        "workflow",
        "*",
      ],
      [
        "data_threshold",
        {
          "field": "amount",
          "operator": ">",
          "value": 1000,
        },
      ],
      [
        "confidence",
        "< 0.8",
      ],
      [
        "cost",
        "> 10",
      ],
      [
        "hours",
        {
          "monday_friday": "09:00-17:00",
          "timezone": "UTC",
        },
      ],
      [
        "outside_hours",
        {
          "monday_friday": "09:00-17:00",
          "timezone": "UTC",
        },
      ],
      [
        "impact",
        "reaches_people",
      ],
      [
        "reversible",
        true,
      ],
      [
        "ask_kind",
        "plan",
      ],
    ]
  `);
  expect(addedCondition({ data_threshold: { field: "a" } }, choice("data_threshold"), words, "UTC")).toHaveLength(2);
  expect(isTaken({ agent_confidence: "< 1" }, choice("confidence"))).toBe(true);
  expect(isTaken({ data_threshold: {} }, choice("data_threshold"))).toBe(false);
});

it.each([
  ["1000", 1000],
  [" 0.5 ", 0.5],
  ["-3", -3],
  ["true", true],
  ["1e3", "1e3"],
  ["EU", "EU"],
  ["", ""],
])("what is typed is read as meant: %j", (text, value) => {
  expect(typedValue(text)).toBe(value);
});

it.each([
  ["in", 5, [5]],
  ["==", [5, 6], 5],
  ["contains", 5, "5"],
  ["exists", 5, true],
  [">", true, 0],
  ["like", "drafts/*.md", ["drafts/*.md"]],
])("another operator keeps what it can of the value: %s %j", (operator, value, expected) => {
  expect(fittingValue(operator, value)).toEqual(expected);
});

const PLACE = { section: "checkpoints", index: 0 } as const;
const text = (action: string) => `checkpoints:\n  - name: x\n    action: ${action}\n`;

it.each([
  ["ask", "{require_approval_count: 2, require_sign_in: true}", "deny", "{deny: true}"],
  ["deny", "{deny: true, reason: no}", "allow", "{auto_approve: true}"],
  ["allow", "{auto_approve: true, notify: true}", "ask", "ask"],
  ["a word", "deny", "ask", "ask"],
] as const)("a rule does something else, and keeps nothing of %s", (_, before, to, after) => {
  const action = rulesInWords(text(before))?.[0]?.rule.action;
  expect(changeRule(text(before), PLACE, deedChanges(actionOf(action), to))).toBe(text(after));
});

it("one round of signatures becomes several, and one again", () => {
  const once = { approvers: ["group:finance"], require_approval_count: 2, four_eyes: true };
  const before = text("{approvers: [group:finance], require_approval_count: 2, four_eyes: true}");
  const several = changeRule(before, PLACE, roundChanges(once, true));
  expect(several).toBe(
    text("{four_eyes: true, stages: [{approvers: group:finance, count: 2}, {approvers: role:admin}]}"),
  );
  const again = actionOf(rulesInWords(several)?.[0]?.rule.action);
  expect(stageParts(stagesOf(again))).toEqual(again.stages);
  expect(changeRule(several, PLACE, roundChanges(again, false))).toBe(
    text("{four_eyes: true, approvers: [group:finance], require_approval_count: 2}"),
  );
});

it("without a time limit nothing is said of its end", () => {
  const limited = { timeout_seconds: 60, on_timeout: "deny" };
  const changed = changeRule(
    text("{timeout_seconds: 60, on_timeout: deny}"),
    PLACE,
    timeoutChanges(limited, undefined),
  );
  expect(changed).toBe(text("ask"));
});

it.each([
  [3600, 3600],
  [5400, 60],
  [45, 1],
  [172_800, 86_400],
])("a time is shown in its largest whole unit: %d", (seconds, unit) => {
  expect(unitOf(seconds)).toBe(unit);
});
