import { createElement } from "react";
import { expect, test } from "vitest";
import { guarded } from "./guard";
import { jsx } from "./runtime";

const NAME = "inv\u202etxt.exe";

test("a text without anything odd is passed on as it is", () => {
  const props = { title: "fine", children: ["a", 1, null, createElement("b", null, "c")] };
  expect(guarded("p", props)).toBe(props);
});

test("an odd text becomes an element that shows it", () => {
  const { children } = guarded("p", { children: NAME }) as { children: { props: unknown } };
  expect(children.props).toEqual({ text: NAME });
});

test("it is found among others and in lists, for components as well", () => {
  const { children } = guarded(() => null, { children: ["a", [NAME]] }) as { children: [string, [{ props: unknown }]] };
  expect(children[0]).toBe("a");
  expect(children[1][0].props).toEqual({ text: NAME });
});

test("attributes that are read show numbers; values stay what they are", () => {
  const safe = guarded("input", { title: NAME, "aria-label": NAME, placeholder: NAME, value: NAME, href: NAME });
  const shown = "inv\\u202etxt.exe";
  expect(safe).toEqual({ title: shown, "aria-label": shown, placeholder: shown, value: NAME, href: NAME });
  expect(guarded(() => null, { title: NAME })).toEqual({ title: NAME });
});

test("what holds only text gets text, and what somebody edits is left alone", () => {
  expect(guarded("option", { children: NAME })).toEqual({ children: "inv\\u202etxt.exe" });
  expect(guarded("textarea", { children: NAME })).toEqual({ children: NAME });
});

test("elements are made by React's own means", () => {
  expect(jsx("p", { children: "a" }, "key")).toMatchObject({ type: "p", key: "key", props: { children: "a" } });
});
