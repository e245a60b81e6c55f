import { expect, test } from "vitest";
import { isSendKey } from "./isSendKey";

const enter = { key: "Enter", shiftKey: false, nativeEvent: { isComposing: false } };

test("Enter sends, and Shift with Enter begins a new line", () => {
  expect(isSendKey(enter)).toBe(true);
  expect(isSendKey({ ...enter, shiftKey: true })).toBe(false);
  expect(isSendKey({ ...enter, key: "e" })).toBe(false);
});

test("Enter that ends a composed word does not send", () => {
  expect(isSendKey({ ...enter, nativeEvent: { isComposing: true } })).toBe(false);
});
