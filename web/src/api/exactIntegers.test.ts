import { expect, it } from "vitest";
import { isExact, marked, parseExactly, writeExactly } from "./exactIntegers";

const BODY = '{"account":12345678901234567890,"minus":[-9007199254740993],"note":"say \\"12345678901234567890\\""}';

it("an integer that JavaScript would round comes back as it went", () => {
  expect(writeExactly(parseExactly(BODY))).toBe(BODY);
  expect(parseExactly(BODY)).toMatchObject({ note: 'say "12345678901234567890"' });
});

it("numbers that are safe, decimal or written with an exponent stay numbers", () => {
  const text = "[9007199254740991,1234567890123456.5,1e300,0.1234567890123456]";
  expect(parseExactly(text)).toEqual([9007199254740991, 1234567890123456.5, 1e300, 0.1234567890123456]);
});

it("text cannot pass itself off as such an integer", () => {
  const [forged] = parseExactly('["\u2063\u206312345678901234567890", 12345678901234567890]') as unknown[];
  expect(isExact(forged)).toBe(false);
});

it.each([
  ["plain", '"\u2063\u20635"'],
  ["escaped", '"\\u2063\\u20635"'],
  ["half and half", '"\u2063\\u2063\\u2063\u20635"'],
])("text cannot pass itself off as an integer where there is none: %s", (_, json) => {
  expect(parseExactly(json)).toBe("5");
  expect(writeExactly(parseExactly(json))).toBe('"5"');
});

it("text that speaks of the marks stays as it is", () => {
  const text = 'say "\u2063\u20635';
  expect(parseExactly(writeExactly(text))).toBe(text);
  expect(parseExactly(String.raw`"C:\\u2063\u2063"`)).toBe("C:\\u2063\u2063");
});

it("marking long text comes to its end", () => {
  // What takes steps by the square of the length runs into the test's own time limit.
  expect(marked(`["${"a\\\\".repeat(300_000)}", ${"9".repeat(100_000)}]`)).toContain("999");
});
