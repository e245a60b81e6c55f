import { expect, it } from "vitest";
import type { Answer, Ask } from "@/api/types";
import { doneWords, signLabel } from "./decisionWords";

const ask = (fields: Partial<Ask>): Ask =>
  ({ approvals: [], approvers: [], approvals_required: 1, stages: null, assignee: null, ...fields }) as Ask;

it("the button says what one click does", () => {
  const two = ask({ approvals_required: 2 });
  expect(signLabel(ask({}), "Approve")).toBe("Approve");
  expect(signLabel(two, "Approve")).toBe("Sign, 1 of 2");
  const once = { ...two, approvals: [{ by: "ana@x.org", decision: "approve", at: "" }] };
  expect(signLabel(once, "Approve")).toBe("Approve");
  expect(signLabel(once, "Approve with changes", true)).toBe("Sign with changes, 1 of 2");
  expect(signLabel(ask({ four_eyes: true }), "Approve with changes", true)).toBe("Propose this change");
});

it("what was done is said as far as it goes", () => {
  const two = ask({ approvals_required: 2 });
  const yes = { decision: "approve" } as Answer;
  const changed = { ...yes, arguments: {} };
  expect(doneWords(ask({}), yes)).toBe("Approved");
  expect(doneWords(ask({}), changed)).toBe("Approved with changes");
  expect(doneWords(two, yes)).toBe("Signed 1 of 2");
  expect(doneWords({ ...two, approvals: [{ by: "ana@x.org", decision: "approve", at: "" }] }, yes)).toBe("Approved");
  expect(doneWords(ask({ four_eyes: true }), changed)).toBe("Changed. Someone else must approve");
  expect(doneWords(two, { decision: "deny" } as Answer)).toBe("Denied");
});

it("what is remembered is said with the approval", () => {
  const words = (remember: Answer["remember"]) => doneWords(ask({}), { decision: "approve", remember } as Answer);
  expect(words({ scope: "agent", expires_in_hours: 168 })).toBe("Approved, and not asked again for 7 days");
  expect(words({ scope: "run" })).toBe("Approved, and not asked again in this run");
  expect(words("rule")).toBe("Approved, and a rule suggested");
});
