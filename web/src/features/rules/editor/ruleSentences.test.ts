import { expect, it } from "vitest";
import { FIRST, FULL } from "./exampleRules";
import { rulesInWords } from "./ruleSentences";

it("each rule is one sentence, in the order in which the rules are asked", () => {
  expect(rulesInWords(FULL)?.map(({ verdict, sentence }) => [verdict, sentence])).toEqual([
    [
      "deny",
      "Calls of send_email where to is none of team@example.com, boss@example.com outside of monday to friday 07:00-20:00 (Europe/Berlin) never happen: “Mail to strangers goes out by day”.",
    ],
    [
      "ask",
      "Refund or financial transaction calls where amount is more than 1000 wait for 2 different people, not whoever started the run, for 1h at most, then deny.",
    ],
    [
      "allow",
      "Refund calls with low or medium risk where amount is at most 50 and the agent is at least 90 % sure run without a person, and people are told, unless a rule above says otherwise, only during monday to friday 09:00-17:00, saturday to sunday closed (America/New_York).",
    ],
  ]);
  expect(rulesInWords(FIRST)).toEqual([
    {
      name: "Messages by two",
      verdict: "ask",
      sentence: "Calls of send_message where the agent is less than 95 % sure wait for 2 different people.",
      off: false,
      line: 3,
    },
  ]);
});

it("a short form reads as the long one, and what is switched off says so", () => {
  const text =
    "checkpoints:\n  - {name: x, action: deny}\nauto_approval:\n  enabled: false\n  rules:\n    - {name: y, conditions: {cost: '< 5'}}";
  expect(rulesInWords(text)).toMatchObject([
    { sentence: "All calls never happen.", off: false },
    {
      sentence: "All calls that cost less than 5 credits run without a person, unless a rule above says otherwise.",
      off: true,
    },
  ]);
});

it("each stage says how many people it takes", () => {
  const text =
    "checkpoints:\n  - {name: x, action: {stages: [{approvers: role:approver, count: 2}, {approvers: [group:legal, boss@example.com]}]}}";
  expect(rulesInWords(text)).toMatchObject([
    {
      sentence:
        "All calls wait in turn for 2 different people (role:approver), then a person (group:legal or boss@example.com).",
    },
  ]);
});

it("under the emergency stop no rule approves", () => {
  const text =
    "checkpoints:\n  - {name: x, action: auto_approve}\n  - {name: y, action: ask}\nauto_approval:\n  global_settings: {emergency_stop: true}\n  rules:\n    - {name: z, conditions: {risk_level: low}}";
  expect(rulesInWords(text)?.map(({ off }) => off)).toEqual([true, false, true]);
});

it.each([
  ["{trigger: {moon: full}, action: auto_approve}", "All calls run without a person … and more: see the YAML"],
  [
    "{action: {escalation: {after_seconds: 60, escalate_to: x@example.com}}}",
    "All calls wait for a person … and more: see the YAML",
  ],
  ["{trigger: {tool: []}, action: {batch_alike: false, log_decision: true}}", "All calls wait for a person."],
])("a sentence says when it leaves something out: %s", (rule, sentence) => {
  expect(rulesInWords(`checkpoints: [${rule}]`)).toMatchObject([{ sentence }]);
});

it.each([
  ["{trigger: {ask_kind: plan}, action: {require_approval_count: 2}}", "Plans wait for 2 different people."],
  [
    "{trigger: {ask_kind: budget, cost: '<= 50'}, action: auto_approve}",
    "Requests for more budget that cost at most 50 credits are approved without a person.",
  ],
  ["{trigger: {ask_kind: [approval, plan], agent: x}, action: ask}", "Calls and plans by x wait for a person."],
])("a rule may be about more than calls: %s", (rule, sentence) => {
  expect(rulesInWords(`checkpoints: [${rule}]`)).toMatchObject([{ sentence }]);
});

it("a file that cannot be read has no sentences", () => {
  expect(rulesInWords("checkpoints: [")).toBeNull();
  expect(rulesInWords("")).toEqual([]);
});
