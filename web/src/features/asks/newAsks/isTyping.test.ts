// @vitest-environment jsdom
import { expect, it } from "vitest";
import { isTypingIn } from "./isTyping";

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
