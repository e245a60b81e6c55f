import { expect, it } from "vitest";
import { budgetToSend } from "./budgetAmounts";

it("a budget leaves out what is empty or zero, and needs something", () => {
  expect(budgetToSend({ credits: 50 }, { credits: 50 })).toEqual({
    changed: false,
    value: { credits: 50 },
    problems: {},
  });
  expect(budgetToSend({ credits: 50 }, { credits: 20, hours: 0 })).toMatchObject({
    changed: true,
    value: { credits: 20 },
  });
  expect(budgetToSend({ credits: 50 }, {}).problems.any).toBeTruthy();
});

it("a budget says what the server would refuse", () => {
  const { problems } = budgetToSend({}, { credits: -1, hours: 25, iterations: 1.5 });
  expect(problems).toEqual({
    credits: "must be more than 0",
    hours: "at most 24",
    iterations: "must be a whole number",
  });
});
