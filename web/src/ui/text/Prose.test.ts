// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { beforeEach, expect, it, vi } from "vitest";

let page: HTMLElement;
const reached = vi.fn();

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia ??= vi.fn(() => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never);
  page = document.createElement("div");
  vi.resetModules();
  vi.doUnmock("./markdown");
  reached.mockClear();
});

async function showing() {
  const { Prose } = await import("./Prose");
  const root = createRoot(page);
  return (text: string) => act(() => root.render(createElement(MantineProvider, null, createElement(Prose, { text }))));
}

const loaded = () => act(async () => (await import("./useMarkdown")).loadMarkdown());

it("a text with marks is there at once, and formatted when the parser is", async () => {
  const show = await showing();
  await show("**bold**");
  expect(page.querySelector("strong")).toBeNull();
  expect(page.textContent).toContain("**bold**");
  await loaded();
  expect(page.querySelector("strong")?.textContent).toBe("bold");
});

it("a text without marks asks for no parser", async () => {
  vi.doMock("./markdown", reached);
  const show = await showing();
  await show("Nothing special, 1.5 (and so on).\n\nNot here either.");
  expect(page.querySelectorAll("p")).toHaveLength(2);
  expect(reached).not.toHaveBeenCalled();
});

it("a text stays as it is written when the parser does not come", async () => {
  vi.doMock("./markdown", () => {
    reached();
    throw new Error("no connection");
  });
  const show = await showing();
  await show("**bold**");
  await expect(loaded()).rejects.toThrow();
  expect(reached).toHaveBeenCalled();
  await show("**bold** and");
  expect(page.textContent).toContain("**bold** and");
});

it("while a text grows, what is above stays the same element", async () => {
  const show = await showing();
  await show("**one**\n\n- two");
  await loaded();
  const first = page.querySelector("strong");
  expect(first).not.toBeNull();
  for (const more of ["\n- three", "\n- three\n\n```js\nx", "\n- three\n\n```js\nx\n```\n\nend"])
    await show(`**one**\n\n- two${more}`);
  expect(page.querySelector("strong")).toBe(first);
  expect(page.querySelectorAll("li")).toHaveLength(2);
  expect(page.textContent).toContain("end");
});

it("an ordered list keeps the numbers it is written with", async () => {
  const show = await showing();
  await loaded();
  await show("3. third\n4. fourth\n7. seventh\n");
  expect(page.querySelector("ol")?.start).toBe(3);
  expect([...page.querySelectorAll("li")].map((item) => item.getAttribute("value"))).toEqual([null, null, "7"]);
});
