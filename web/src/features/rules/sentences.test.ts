import { expect, it } from "vitest";
import { FIRST, FULL } from "./examples";
import { rulesInWords } from "./sentences";

it("each rule is one sentence, in the order in which the rules are asked", () => {
  expect(rulesInWords(FULL)?.map(({ verdict, sentence }) => [verdict, sentence])).toEqual([
    [
      "ask",
      "Refund or financial transaction calls where amount is more than 1000 wait for 2 different people, not whoever started the run, for 1h at most, then deny.",
    ],
    [
      "deny",
      "Calls of send_email where to is none of team@example.com, boss@example.com outside of monday to friday 07:00-20:00 (Europe/Berlin) never happen: “Mail to strangers goes out by day”.",
    ],
    [
      "allow",
      "Refund calls with low or medium risk where amount is at most 50 and the agent is at least 90 % sure run without a person, and people are told.",
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
    { sentence: "All calls that cost less than 5 credits run without a person.", off: true },
  ]);
});

it("a file that cannot be read has no sentences", () => {
  expect(rulesInWords("checkpoints: [")).toBeNull();
  expect(rulesInWords("")).toEqual([]);
});
