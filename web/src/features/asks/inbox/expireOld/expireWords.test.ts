import { expect, test } from "vitest";
import { expireWords } from "./expireWords";

test("the question before asks expire says how many", () => {
  expect(expireWords(undefined)).toBe("Counting…");
  expect(expireWords(0)).toBe("Nothing has been waiting that long.");
  expect(expireWords(1)).toMatch(/^1 ask expires, for everyone\./);
  expect(expireWords(7)).toMatch(/^7 asks expire, for everyone\./);
  expect(expireWords(2500)).toMatch(/^2,500 asks have been waiting longer\. The oldest 1,000 expire now\./);
});
