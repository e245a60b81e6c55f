// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement, useRef } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Ask } from "@/api/types";
import { DecisionBar } from "../decision/DecisionBar";
import { ReplyForm } from "../decision/ReplyForm";
import { draftOf, dropDraft, keepDraft } from "../outbox/answerDrafts";
import { useOvertaken } from "./useOvertaken";
import { writtenText } from "./writtenText";

vi.mock("@/api/me", () => ({ useMe: () => ({ role: "approver", user: { id: "b", email: "bob@x.org" } }) }));
vi.mock("@/api/memberNames", () => ({ useMemberNames: () => (by: string) => by.split("@")[0] }));

const open = {
  id: "a1",
  digest: "d1",
  status: "pending",
  may_decide: true,
  approvals: [],
  approvers: [],
  edited_by: [],
  arguments: { path: "a.md" },
} as unknown as Ask;
const approved = { ...open, status: "approved", may_decide: false, settled_by: "ann@x.org" } as Ask;
let root: Root;
let page: HTMLElement;

function Card({ ask }: { ask: Ask }) {
  const card = useRef<HTMLElement>(null);
  const live = { send: () => {}, pending: false, outgoing: undefined };
  const { shown, overtaken } = useOvertaken(ask, live, card);
  const written = { onWrite: (note: string) => keepDraft(shown, { decision: "deny", note, reason: note }) };
  const form = createElement(ReplyForm, {
    label: "Why?",
    action: "Deny",
    onSend: () => {},
    onBack: () => {},
    ...written,
  });
  const bar = createElement(DecisionBar, { ask: shown, answering: { ...live, overtaken } } as never, form);
  return createElement("article", { ref: card }, shown.status === "pending" ? bar : null);
}

const show = (ask: Ask) => act(() => root.render(createElement(MantineProvider, null, createElement(Card, { ask }))));
const field = () => page.querySelector<HTMLTextAreaElement>("textarea:not([aria-hidden])");
const write = (text: string) =>
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(field(), text);
    field()?.dispatchEvent(new Event("input", { bubbles: true }));
  });
const button = (label: string) => [...page.querySelectorAll("button")].find(({ textContent }) => textContent === label);

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  page = document.body.appendChild(document.createElement("div"));
  root = createRoot(page);
});
afterEach(async () => {
  await act(() => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
  dropDraft("a1");
});

it.each<[string, Partial<Ask>, string]>([
  ["approved", approved, "ann approved this meanwhile."],
  ["expired", { status: "expired", may_decide: false, settled_by: null }, "This expired meanwhile."],
  [
    "cancelled with its run",
    { status: "cancelled", may_decide: false, settled_by: null },
    "This was cancelled meanwhile.",
  ],
  ["changed by a signer", { digest: "d2", edited_by: ["ann@x.org"] }, "ann changed this meanwhile."],
  ["handed to others", { may_decide: false, approvers: ["ann@x.org"] }, "Needs one of: ann@x.org."],
])("what somebody writes about stays under their hands when it is %s", async (_, change, words) => {
  await show(open);
  await write("Wrong mon");
  const before = field();
  await show({ ...open, ...change });
  expect(field()).toBe(before);
  expect(document.activeElement).toBe(before);
  expect(page.textContent).toContain(`${words} What you wrote was not sent.`);
  await write("Wrong month");
  expect(writtenText(open, draftOf(open))).toBe("Wrong month");
});

it("a form that somebody has opened stays, though nothing is written yet", async () => {
  await show(open);
  await show(approved);
  expect(document.activeElement).toBe(field());
  expect(button("Copy your text")).toBeUndefined();
});

it("it goes when its author gives it up, and so does the draft", async () => {
  await show(open);
  await write("Wrong month");
  await show(approved);
  await act(() => button("Discard")?.click());
  expect(field()).toBeNull();
  expect(draftOf(open)).toEqual({});
});

it("whoever comes back to what was decided meanwhile finds what they wrote", async () => {
  keepDraft(open, { decision: "deny", note: "Wrong month" });
  await show(approved);
  expect(page.textContent).toContain("ann approved this meanwhile.");
});

it("what somebody decided themselves is over", async () => {
  await show(open);
  await write("Wrong month");
  await show({ ...approved, settled_by: "bob@x.org" });
  expect(field()).toBeNull();
});

describe("what was written", () => {
  const plan = { steps: [{ id: "1", arguments: { to: "x" } }] };
  it.each<[string, Partial<Ask>, Parameters<typeof writtenText>[1], string]>([
    ["a reason, once", {}, { note: "No", reason: "No" }, "No"],
    ["one argument", {}, { arguments: { path: "jade.md" } }, "jade.md"],
    ["several arguments", {}, { arguments: { path: "b.md", text: "Hi" } }, "path: b.md\ntext: Hi"],
    ["arguments left as they are", {}, { arguments: { path: "a.md" } }, ""],
    ["an answer", {}, { value: "On Monday" }, "On Monday"],
    ["a choice", { options: ["grey"] }, { value: "grey" }, ""],
    ["the amount asked for", { default: { credits: 5 } }, { value: { credits: 5 } }, ""],
    ["a step of a plan", { plan } as never, { steps: ["2", { id: "1", arguments: { to: "y" } }] }, "y"],
  ])("%s", (_, change, draft, text) => expect(writtenText({ ...open, ...change } as Ask, draft)).toBe(text));
});
