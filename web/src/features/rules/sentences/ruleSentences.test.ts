import { expect, it } from "vitest";
import { FIRST, FULL } from "../editor/exampleRules";
import { rulesInWords } from "./ruleSentences";

it("each rule is one sentence, in the order in which the rules are asked", () => {
  expect(rulesInWords(FULL)?.map(({ verdict, sentence }) => [verdict, sentence])).toEqual([
    [
      "deny",
      "Calls of send_email where to is none of team@example.com, boss@example.com outside of Monday to Friday 07:00-20:00 (Europe/Berlin) never happen: “Mail to strangers goes out by day”.",
    ],
    [
      "ask",
      "Refund or financial transaction calls where amount is more than 1,000 wait for 2 different people, not anyone who started, steered or edited it; if nobody answers within 1 hour, they are denied.",
    ],
    [
      "allow",
      "Refund calls with low or medium risk where amount is at most 50 and the agent is at least 90 % sure run without asking, and people are told, unless a rule above says otherwise, only during Monday to Friday 09:00-17:00, Saturday to Sunday closed (America/New_York).",
    ],
  ]);
  expect(rulesInWords(FIRST)).toMatchObject([
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
      sentence: "All calls that cost less than 5 credits run without asking, unless a rule above says otherwise.",
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
        "All calls wait in turn for 2 different people (approvers), then a person (group legal or boss@example.com).",
    },
  ]);
});

it("under the emergency stop no rule approves", () => {
  const text =
    "checkpoints:\n  - {name: x, action: auto_approve}\n  - {name: y, action: ask}\nauto_approval:\n  global_settings: {emergency_stop: true}\n  rules:\n    - {name: z, conditions: {risk_level: low}}";
  expect(rulesInWords(text)?.map(({ off }) => off)).toEqual([true, false, true]);
});

it.each([
  [
    "{trigger: {moon: {full: true}}, action: auto_approve}",
    "All calls run without asking … and more: edit in the text",
  ],
  ["{action: {colour: red}}", "All calls wait for a person … and more: edit in the text"],
  ["{trigger: {tool: []}, action: {batch_alike: false, log_decision: true}}", "All calls wait for a person."],
])("a sentence says when it leaves something out: %s", (rule, sentence) => {
  expect(rulesInWords(`checkpoints: [${rule}]`)).toMatchObject([{ sentence }]);
});

it.each([
  ["{trigger: {ask_kind: plan}, action: {require_approval_count: 2}}", "Plans wait for 2 different people."],
  [
    "{trigger: {ask_kind: budget, cost: '<= 50'}, action: auto_approve}",
    "Requests for more budget that cost at most 50 credits are approved without asking.",
  ],
  ["{trigger: {ask_kind: [approval, plan], agent: x}, action: ask}", "Calls and plans by x wait for a person."],
])("a rule may be about more than calls: %s", (rule, sentence) => {
  expect(rulesInWords(`checkpoints: [${rule}]`)).toMatchObject([{ sentence }]);
});

it.each([
  ["arguments: {channel: word}", "the arguments are exactly channel (word)"],
  [
    "arguments: {to: text, note: prose, cc: up to 3 texts}",
    "the arguments are exactly to (text), note (prose) and cc (up to 3 texts)",
  ],
  ["arguments: {}", "there are no arguments"],
  ["data_threshold: {field: path, operator: like, value: reports/*.md}", "path is like reports/*.md"],
  ["data_threshold: {field: path, operator: like, value: [a/**, b/**]}", "path is like a/** or b/**"],
])("what a suggested rule binds is said in words: %s", (trigger, words) => {
  const text = `auto_approval: {rules: [{name: x, conditions: {tool: t, ${trigger}}}]}`;
  const sentence = `Calls of t where ${words} run without asking, unless a rule above says otherwise.`;
  expect(rulesInWords(text)).toMatchObject([{ sentence }]);
});

it("a file that cannot be read has no sentences", () => {
  expect(rulesInWords("checkpoints: [")).toBeNull();
  expect(rulesInWords("")).toEqual([]);
});

const WAIT = "All calls wait for a person";

it.each([
  ["timeout_seconds: 3600", `${WAIT}; if nobody answers within 1 hour, the run fails.`],
  [
    "timeout_seconds: 5400, on_timeout: cancel",
    `${WAIT}; if nobody answers within 1 hour 30 minutes, the run is cancelled.`,
  ],
  ["timeout_seconds: 45, on_timeout: deny", `${WAIT}; if nobody answers within 45 seconds, they are denied.`],
  [
    "timeout_seconds: 86400, on_timeout: default",
    `${WAIT}; if nobody answers within 1 day, the default answer is used, or the run fails if there is none.`,
  ],
  [
    "timeout_seconds: 60, on_timeout: approve",
    `${WAIT}; if nobody answers within 1 minute, those that can be undone run (veto window).`,
  ],
  [
    "timeout_seconds: 3600, remind_before_seconds: [600, 60]",
    `${WAIT}; if nobody answers within 1 hour (reminder 10 minutes and 1 minute before), the run fails.`,
  ],
  [
    "timeout_seconds: 3600, on_timeout: escalate, escalation: [{after_seconds: 60, escalate_to: role:admin}, {enabled: false}]",
    `${WAIT}; after 1 minute admins can decide, too; if nobody answers within 1 hour, everyone in the chain is told and they keep waiting.`,
  ],
  [
    "four_eyes: true, require_sign_in: true",
    `${WAIT}, not anyone who started, steered or edited it, decided only in the app, signed in.`,
  ],
  ["notification: {recipients: role:admin}", `${WAIT}; admins are told.`],
  ["notification: {recipients: [group:finance, approver]}", `${WAIT}; group finance and approvers are told.`],
  ["notification: {channels: Mail}", `${WAIT}; they are told by Mail.`],
  [
    "notification: {channels: [teams, email], recipients: ann@example.com}, batch_alike: true",
    `${WAIT}, similar ones together; ann@example.com is told by teams and email.`,
  ],
])("a sentence says what happens on the way and in the end: %s", (action, sentence) => {
  expect(rulesInWords(`checkpoints: [{action: {${action}}}]`)).toMatchObject([{ sentence }]);
});

it.each([
  ["rollout_percentage: 50", ", for 50 % of them"],
  [
    "rollout_percentage: {start: 10, target: 80, from: 2026-01-01, until: 2026-03-01}",
    ", for 10 % of them, growing to 80 % from 2026-01-01 until 2026-03-01",
  ],
  ["notify: true, notification_channels: [teams]", ", and people are told by teams"],
  ["log_decision: true", ", and each is recorded as an ask"],
])("an approval says how far it goes: %s", (action, words) => {
  const text = `checkpoints: [{action: {auto_approve: true, ${action}}}]`;
  expect(rulesInWords(text)).toMatchObject([{ sentence: `All calls run without asking${words}.` }]);
});

it("a condition that the format gets later reads well, too", () => {
  const text = "checkpoints: [{trigger: {impact: [reaches_people, moves_money], reversible: false}, action: ask}]";
  expect(rulesInWords(text)).toMatchObject([
    { sentence: "All calls where impact is reaches people or moves money and reversible is false wait for a person." },
  ]);
});
