import { expect, it } from "vitest";
import { FULL } from "../editor/exampleRules";
import { type Change, changeRule } from "./changeRule";
import { readRules } from "./readRules";
import { addRule, duplicateRule, insertRule, moveRule, removeRule, takeRule } from "./ruleList";

const TEXT = `# Rules of the house
version: "1.0"   # the only one

checkpoints:
  # Money first
  - name: "Refunds"     # ask finance
    trigger:
      tool:   refund    # the tool

      data_threshold: {field: amount,  operator: ">", value: 1000}   # in euros
    action:
      # Two of them
      require_approval_count: 2
      approvers:
      - "group:finance"   # all of them
      - boss@example.com
    # the end of refunds


  # Never at night
  - {name: Mail, action: deny}   # hard
  - name: Files
    action: ask

# The rest
auto_approval:
  enabled: true
`;
const first = { section: "checkpoints", index: 0 } as const;
const second = { section: "checkpoints", index: 1 } as const;
const third = { section: "checkpoints", index: 2 } as const;

/** The lines that a change takes away and adds. */
function diff(before: string, after: string): string[] {
  const [left, right] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < left.length && left[start] === right[start]) start++;
  let end = 0;
  while (end < Math.min(left.length, right.length) - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  return [
    ...left.slice(start, left.length - end).map((line) => `-${line}`),
    ...right.slice(start, right.length - end).map((line) => `+${line}`),
  ];
}

it.each<[string, typeof first | typeof second | typeof third, Change[], string[]]>([
  [
    "a word changes in its place, quotes and comment stay",
    first,
    [{ path: ["name"], value: "Big refunds" }],
    ['-  - name: "Refunds"     # ask finance', '+  - name: "Big refunds" # ask finance'],
  ],
  [
    "one value becomes a list",
    first,
    [{ path: ["trigger", "tool"], value: ["refund", "pay"] }],
    ["-      tool:   refund    # the tool", "+      tool: [refund, pay] # the tool"],
  ],
  [
    "a condition is added at the end of its block",
    first,
    [{ path: ["trigger", "risk_level"], value: ["high"] }],
    ["+      risk_level: [high]"],
  ],
  [
    "a number inside braces",
    first,
    [{ path: ["trigger", "data_threshold"], value: { field: "amount", operator: ">=", value: 500 } }],
    [
      '-      data_threshold: {field: amount,  operator: ">", value: 1000}   # in euros',
      '+      data_threshold: {field: amount, operator: ">=", value: 500} # in euros',
    ],
  ],
  [
    "an entry joins a list, the others keep their comments",
    first,
    [{ path: ["action", "approvers"], value: ["group:finance", "boss@example.com", "role:admin"] }],
    ["+      - role:admin"],
  ],
  [
    "an entry leaves a list",
    first,
    [{ path: ["action", "approvers"], value: ["group:finance"] }],
    ["-      - boss@example.com"],
  ],
  [
    "a key is taken away",
    first,
    [{ path: ["trigger", "data_threshold"], value: undefined }],
    ["-", '-      data_threshold: {field: amount,  operator: ">", value: 1000}   # in euros'],
  ],
  [
    "a rule between braces stays there",
    second,
    [{ path: ["enabled"], value: false }],
    ["-  - {name: Mail, action: deny}   # hard", "+  - {name: Mail, action: deny, enabled: false} # hard"],
  ],
  [
    "a short action becomes a block",
    third,
    [{ path: ["action", "four_eyes"], value: true }],
    ["-    action: ask", "+    action:", "+      four_eyes: true"],
  ],
  [
    "a rule gets its first condition",
    third,
    [{ path: ["trigger", "tool"], value: "x" }],
    ["+    trigger:", "+      tool: x"],
  ],
])("%s", (_, place, changes, expected) => {
  expect(diff(TEXT, changeRule(TEXT, place, changes))).toEqual(expected);
});

it("a block without anything left is said in short, or not at all", () => {
  const text = "checkpoints:\n  - name: x\n    trigger:\n      tool: a\n    action:\n      four_eyes: true\n";
  const bare = changeRule(text, first, [
    { path: ["trigger", "tool"], value: undefined },
    { path: ["action", "four_eyes"], value: undefined },
  ]);
  expect(bare).toBe("checkpoints:\n  - name: x\n    action: ask\n");
});

it.each([
  [
    "four spaces",
    "checkpoints:\n    -   name: x\n        trigger:\n            tool: a\n        action: ask\n",
    "            risk_level: [low]\n",
  ],
  [
    "lists under their key",
    "checkpoints:\n- name: x\n  trigger:\n    tool: a\n  action:\n    approvers:\n    - b\n",
    "    risk_level: [low]\n",
  ],
])("a rule written with %s is added to in its own manner", (_, text, line) => {
  const next = changeRule(text, first, [{ path: ["trigger", "risk_level"], value: ["low"] }]);
  expect(next).toContain(line);
  expect(next.replace(line, "")).toBe(text);
});

it("what was changed there and back is the text that it was", () => {
  const there = changeRule(FULL, first, [{ path: ["action", "require_approval_count"], value: 3 }]);
  expect(there).not.toBe(FULL);
  expect(changeRule(there, first, [{ path: ["action", "require_approval_count"], value: 2 }])).toBe(FULL);
});

const names = (text: string) => {
  const read = readRules(text);
  return read.ok ? read.rules.map(({ rule }) => rule.name) : read.reason;
};

it("a removed rule goes with its comment, and comes back where it was", () => {
  const kept = takeRule(TEXT, second);
  const without = removeRule(TEXT, second);
  expect(names(without)).toEqual(["Refunds", "Files"]);
  expect(without).not.toContain("Never at night");
  expect(without).toContain("# the end of refunds");
  const back = insertRule(without, second, kept);
  expect(names(back)).toEqual(["Refunds", "Mail", "Files"]);
  expect(back).toContain("  # Never at night\n  - {name: Mail, action: deny}   # hard\n");
});

it.each([
  ["spaced, first", FULL, first],
  ["spaced, last", FULL, second],
  ["alone", FULL, { section: "auto_approval", index: 0 }],
  ["close, first", "checkpoints:\n- {name: a}\n- {name: b}\n", first],
  ["close, last", "checkpoints:\n- {name: a}\n- {name: b}\n", second],
] as const)("a rule that is taken out and put back leaves no trace: %s", (_, text, place) => {
  const without = removeRule(text, place);
  expect(without).not.toBe(text);
  expect(insertRule(without, place, takeRule(text, place))).toBe(text);
});

it("the last rule of a list leaves an empty one, which can be begun again", () => {
  const text = "checkpoints: # here\n  - name: x\n    action: ask\nauto_approval: {enabled: true}\n";
  const empty = removeRule(text, first);
  expect(empty).toBe("checkpoints: [] # here\nauto_approval: {enabled: true}\n");
  const again = addRule(empty, "checkpoints", { name: "y", action: "deny" });
  expect(again.text).toBe("checkpoints: # here\n  - name: y\n    action: deny\nauto_approval: {enabled: true}\n");
});

it.each([
  ["nothing", "", "checkpoints", 'version: "1.0"\n\ncheckpoints:\n  - name: n\n'],
  [
    "other lists",
    "checkpoints:\n  - {name: a, action: ask}\n",
    "auto_approval",
    "checkpoints:\n  - {name: a, action: ask}\n\nauto_approval:\n  rules:\n    - name: n\n",
  ],
  ["its settings", TEXT, "auto_approval", `${TEXT.trimEnd()}\n  rules:\n    - name: n\n`],
  [
    "braces",
    "auto_approval: {enabled: true}\n",
    "auto_approval",
    "auto_approval: {enabled: true, rules: [{name: n}]}\n",
  ],
  [
    "brackets",
    "checkpoints: [{name: a, action: ask}]\n",
    "checkpoints",
    "checkpoints: [{name: a, action: ask}, {name: n}]\n",
  ],
] as const)("a rule is added to %s", (_, text, section, expected) => {
  expect(addRule(text, section, { name: "n" }).text).toBe(expected);
});

it("a copy stands behind its rule under a name of its own", () => {
  const { text, place } = duplicateRule(TEXT, first);
  expect(place).toEqual({ section: "checkpoints", index: 1 });
  expect(names(text)).toEqual(["Refunds", "Refunds 2", "Mail", "Files"]);
  expect(text.match(/# Two of them/g)).toHaveLength(2);
});

it("a rule moves before or behind another, with its comment", () => {
  const up = moveRule(TEXT, third, first, "before");
  expect(names(up)).toEqual(["Files", "Refunds", "Mail"]);
  expect(up).toContain('  # Money first\n  - name: "Refunds"     # ask finance\n');
  expect(names(moveRule(TEXT, first, third, "after"))).toEqual(["Mail", "Files", "Refunds"]);
  expect(names(moveRule("checkpoints: [{name: a}, {name: b}]", second, first, "before"))).toEqual(["b", "a"]);
});

it("a rule that moves past one with another priority takes that priority", () => {
  const text = "checkpoints:\n  - {name: a, priority: 1}\n  - {name: b}\n";
  expect(moveRule(text, second, first, "before")).toBe(
    "checkpoints:\n  - {name: b, priority: 1}\n  - {name: a, priority: 1}\n",
  );
});

it.each([
  ["checkpoints: [", 1],
  ["a: 1\na: 2", 2],
  ["checkpoints: {}", 1],
  ["checkpoints:\n  - x", 2],
  ["x: &a 1\ny: *a", 1],
  ["checkpoints:\n  -\n    name: x", 3],
])("a text that menus cannot work on says why and where: %j", (text, line) => {
  expect(readRules(text)).toMatchObject({ ok: false, line, reason: expect.stringMatching(/\w/) });
});
