import { expect, test } from "vitest";
import type { Ask } from "@/api/types";
import { settledWords as words } from "./settledWords";

const ask = (more: object) => ({ approvals: [], edited_by: [], settled_by: "Ada Moreno", ...more }) as unknown as Ask;
const settledWords = (given: Ask) => words(given, (label) => label);
const by = (name: string) => ({ by: name, decision: "approve" });

test("an approval names who gave it, and whether something was changed", () => {
  expect(settledWords(ask({ status: "approved", answer: { decision: "approve" } }))).toBe("Approved by Ada Moreno");
  expect(settledWords(ask({ status: "approved", answer: { decision: "approve", arguments: {} } }))).toBe(
    "Approved with changes by Ada Moreno",
  );
});

test("who changed it is named beside who approved it", () => {
  const changed = ask({ status: "approved", answer: { decision: "approve", arguments: {} }, edited_by: ["Ben"] });
  expect(settledWords(changed)).toBe("Changed by Ben, approved by Ada Moreno");
});

test("when several signed, all are named", () => {
  const approvals = [by("Ada"), by("Ben"), by("Chloe")];
  expect(settledWords(ask({ status: "approved", approvals }))).toBe("Approved by Ada, Ben and Chloe");
});

test("a denial says why", () => {
  const answer = { decision: "deny", note: "Refunds go by mail" };
  expect(settledWords(ask({ status: "denied", answer }))).toBe("Denied by Ada Moreno: Refunds go by mail");
});

test("a question shows the label that was chosen, and a form only that it was answered", () => {
  const options = [{ id: "1", label: "Sales", value: "sales_team" }];
  const answered = ask({ status: "answered", options, answer: { decision: "respond", value: "sales_team" } });
  expect(settledWords(answered)).toBe("Answered by Ada Moreno: Sales");
  expect(settledWords(ask({ status: "answered", answer: { decision: "respond", value: { copies: 3 } } }))).toBe(
    "Answered by Ada Moreno",
  );
});

test("rules and clocks decide too", () => {
  expect(settledWords(ask({ status: "auto_approved", rule: "Small refunds" }))).toBe("Allowed by rule Small refunds");
  expect(settledWords(ask({ status: "expired", settled_by: "Signoff" }))).toBe("Nobody answered in time");
});

test("people are told by their names", () => {
  expect(words(ask({ status: "approved", settled_by: "ada@example.com" }), () => "Ada Moreno")).toBe(
    "Approved by Ada Moreno",
  );
});
