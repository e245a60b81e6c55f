import { expect, test } from "vitest";
import type { Ask, Call } from "@/api/types";
import { callWords, progressWords, ruleWords, took } from "./callWords";

test("a call's time is told in the unit that fits", () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
  expect(took({ started_at: at(0), ended_at: at(0.012) })).toBe("12 ms");
  expect(took({ started_at: at(0), ended_at: at(3.4) })).toBe("3s");
  expect(took({ started_at: at(0), ended_at: at(130) })).toBe("2m");
  expect(took({ started_at: at(0), ended_at: null })).toBe("");
});

const call = (tool: string, given: object, more: object = {}) =>
  ({ tool, arguments: given, status: "succeeded", verdict: { verdict: "allow", rule: null }, ...more }) as Call;

test("a call is told in words, not by the name of its function", () => {
  expect(callWords(call("create_deliverable", { name: "pricing.csv" }))).toBe("Delivered pricing.csv");
  expect(callWords(call("ask_question", { question: "Who reads it?" }))).toBe("Asked: Who reads it?");
  expect(callWords(call("write_file", { path: "a.md", content: "…" }))).toBe("Write a.md");
  expect(callWords(call("issue_refund", { order: "A-17" }))).toBe("Issue refund: A-17");
  expect(callWords(call("issue_refund", {}), { title: "Refund 12 to Ben" } as Ask)).toBe("Refund 12 to Ben");
});

test("a call says how far it has come as its tool told it", () => {
  expect(progressWords({ call_id: "c", progress: 2, total: 5, message: "Counting" })).toBe("2 of 5: Counting");
  expect(progressWords({ call_id: "c", progress: 1234.56, total: 5000 })).toBe("1,234.6 of 5,000");
  expect(progressWords({ call_id: "c", progress: 7, message: "Reading" })).toBe("Reading");
  expect(progressWords({ call_id: "c", progress: 7 })).toBe("7");
});

test("what did not succeed is not told as done", () => {
  expect(callWords(call("create_deliverable", { name: "pricing.csv" }, { status: "failed" }))).toBe(
    "Deliver pricing.csv",
  );
});

test("a rule that let a call through or stopped it is named", () => {
  const verdict = { verdict: "allow", rule: "Small refunds" };
  expect(ruleWords(call("issue_refund", {}, { verdict }))).toBe("Allowed by rule Small refunds");
  expect(ruleWords(call("issue_refund", {}, { verdict: { ...verdict, verdict: "deny" } }))).toBe(
    "Denied by rule Small refunds",
  );
  expect(ruleWords(call("list_files", {}))).toBeNull();
  // There the person who was asked has the word.
  expect(ruleWords(call("issue_refund", {}, { verdict, ask_id: "a" }))).toBeNull();
});
