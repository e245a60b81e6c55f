import { expect, test } from "vitest";
import type { Ask, Message } from "@/api/types";
import { entriesOf, isNote } from "./useTranscript";

const message = (id: string, at: string, more: object = {}) =>
  ({ id, role: "assistant", text: "", created_at: at, ...more }) as Message;
const ask = (id: string, at: string, status = "approved") => ({ id, created_at: at, status }) as Ask;

test("settled asks stand where they were asked", () => {
  const messages = [message("a", "2026-01-01T10:00:00Z"), message("b", "2026-01-01T12:00:00Z")];
  const entries = entriesOf(messages, [ask("plan", "2026-01-01T11:00:00Z"), ask("last", "2026-01-01T13:00:00Z")]);
  expect(entries.map(({ id }) => id)).toEqual(["a", "plan", "b", "last"]);
});

test("open asks, asks of calls and tool results are shown elsewhere", () => {
  const calls = [{ id: "c", ask_id: "of-call" }];
  const messages = [
    message("a", "2026-01-01T10:00:00Z", { calls }),
    message("t", "2026-01-01T10:00:01Z", { role: "tool" }),
  ];
  const asks = [ask("of-call", "2026-01-01T10:00:00Z"), ask("open", "2026-01-01T10:00:00Z", "pending")];
  expect(entriesOf(messages, asks).map(({ id }) => id)).toEqual(["a"]);
});

test("an answer that only reports progress is no part of the thread", () => {
  const progress = { calls: [{ id: "p", tool: "report_progress" }] };
  const messages = [
    message("silent", "2026-01-01T10:00:00Z", progress),
    message("spoken", "2026-01-01T10:00:01Z", { ...progress, text: "I begin." }),
    message("acting", "2026-01-01T10:00:02Z", { calls: [{ id: "c", tool: "list_files" }] }),
  ];
  expect(entriesOf(messages, []).map(({ id }) => id)).toEqual(["spoken", "acting"]);
});

test("what Signoff tells the model alone is no words to the reader", () => {
  expect(isNote({ role: "system", for_agent: true })).toBe(true);
  expect(isNote({ role: "system", for_agent: false })).toBe(false);
  expect(isNote({ role: "user", for_agent: false })).toBe(false);
});
