import { expect, it } from "vitest";
import { glance } from "./glance";

it("says what is short, and how much is not said", () => {
  const given = { amount: 99.99, currency: "USD", why: "x".repeat(200), paid: true, rows: [1, 2] };
  expect(glance(given)).toBe("Amount: 99.99 · Currency: USD · Paid: Yes · 2 more");
  expect(glance({ rows: [1] })).toBe("1 more");
  expect(glance({})).toBe("");
});
