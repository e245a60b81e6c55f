import { expect, it } from "vitest";
import { parseExactly, writeExactly } from "@/api/exactIntegers";
import { answerLabel, optionsOf } from "../domain/askOptions";
import { hasExact, numberIn, valueText } from "./valueText";

const LONG = "12345678901234567890";
const exact = parseExactly(LONG);

it("a number is sent as it was written", () => {
  expect(writeExactly(numberIn(LONG))).toBe(LONG);
  expect(["42", "-1.5", "1e3", " 7 "].map(numberIn)).toEqual([42, -1.5, 1000, 7]);
  expect(["", "-", "1e400", "seven"].map(numberIn)).toEqual([null, null, null, null]);
});

it("a large integer is read as its digits, wherever it stands", () => {
  expect(valueText(exact)).toBe(LONG);
  expect(answerLabel({ options: null }, exact)).toBe(LONG);
  expect(optionsOf({ options: [exact] })).toMatchObject([{ label: LONG, value: exact }]);
});

it("a form that cannot hold such a number is known", () => {
  expect(hasExact({ to: [{ account: exact }] })).toBe(true);
  for (const value of [undefined, null, {}, { account: 1, name: LONG }]) expect(hasExact(value)).toBe(false);
});
