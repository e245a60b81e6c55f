// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { IDENTITY } from "@/api/identity";
import { draftOf, keepDraft, startAgain, useStart } from "./answerDrafts";

const ask = { id: "a1", digest: "d1" };

function Written() {
  const { note = "" } = draftOf(ask);
  return createElement("textarea", { defaultValue: note ?? "" });
}
const Card = () => createElement(Written, { key: useStart(ask.id) });

it("what was written in one card of an ask goes on in another", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const page = document.createElement("div");
  const root = createRoot(page);
  await act(() => root.render(createElement(Card)));
  keepDraft(ask, { note: "Wrong month" });
  expect(page.querySelector("textarea")?.value).toBe("");
  await act(() => startAgain("another"));
  expect(page.querySelector("textarea")?.value).toBe("");
  await act(() => startAgain(ask.id));
  expect(page.querySelector("textarea")?.value).toBe("Wrong month");
  await act(() => root.unmount());
});

it("what was edited is there again after a reload, but not for somebody else", async () => {
  const reloaded = async () => {
    vi.resetModules();
    return (await import("./answerDrafts")).draftOf(ask);
  };
  localStorage.setItem(IDENTITY, "ada");
  keepDraft(ask, { decision: "approve", arguments: { path: "edited.md" } });
  expect((await reloaded()).arguments).toEqual({ path: "edited.md" });
  localStorage.setItem(IDENTITY, "bob");
  expect(await reloaded()).toEqual({});
});
