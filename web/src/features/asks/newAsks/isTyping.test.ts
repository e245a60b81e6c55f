// @vitest-environment jsdom
import { expect, it } from "vitest";
import { isDecidingIn, isTypingIn } from "./isTyping";

it.each([
  ['<input id="field" value="letter" />', true],
  ['<input id="field" />', false],
  ['<textarea id="field">letter</textarea>', true],
  ['<div contenteditable="true"><div id="field">in an editor</div></div>', true],
  ['<button id="field">Open</button>', false],
])("somebody writes in %s: %s", (html, writes) => {
  document.body.innerHTML = html;
  expect(isTypingIn(document.getElementById("field"))).toBe(writes);
});

it("nobody writes where nothing has the focus", () => {
  expect(isTypingIn(null)).toBe(false);
});

it("somebody decides the ask in whose card they press a button, and no other one", () => {
  document.body.innerHTML = '<article data-ask="a1"><button id="deny">Deny</button></article><button id="else" />';
  expect(isDecidingIn(document.getElementById("deny"), "a1")).toBe(true);
  expect(isDecidingIn(document.getElementById("deny"), "a2")).toBe(false);
  expect(isDecidingIn(document.getElementById("else"), "a1")).toBe(false);
  expect(isDecidingIn(null, "a1")).toBe(false);
});
