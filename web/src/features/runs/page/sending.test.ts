import { expect, test } from "vitest";
import { isSend } from "./sending";

const enter = { key: "Enter", shiftKey: false, nativeEvent: { isComposing: false } };

test("Enter sends, and Shift with Enter begins a new line", () => {
  expect(isSend(enter)).toBe(true);
  expect(isSend({ ...enter, shiftKey: true })).toBe(false);
  expect(isSend({ ...enter, key: "e" })).toBe(false);
});

test("Enter that ends a composed word does not send", () => {
  expect(isSend({ ...enter, nativeEvent: { isComposing: true } })).toBe(false);
});
