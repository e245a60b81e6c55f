import { expect, it } from "vitest";
import type { Ask } from "@/api/types";
import { decidersWords, lateWords, letThroughWords } from "./askOutcomes";

it("who came too late reads who was faster, and how", () => {
  const state = { status: "denied", settled_by: "ana@x.org", answer: { note: "Not today" } };
  expect(lateWords(state)).toBe("It was already denied by ana@x.org. “Not today”");
  expect(lateWords({ status: "auto_approved", settled_by: "rule: Small" })).toBe("It was already approved by a rule.");
  expect(lateWords({})).toBeNull();
});

it("what a rule let through later names that rule and who applied it, not the rule that asked", () => {
  const words = (more: object) => letThroughWords({ rule: "Ask first", ...more } as Ask, () => "Ada");
  expect(words({ rule: "Small refunds", answer: null })).toBe("Allowed by rule Small refunds");
  expect(words({ answer: { rule: "Small refunds", applied_by: "ada@x.org" } })).toBe(
    "Allowed by rule Small refunds, applied by Ada",
  );
  expect(words({ answer: { applied_by: "ada@x.org" } })).toBe("Allowed by the current rules, applied by Ada");
});

it("everybody whose signature counted is named", () => {
  const words = (more: object) => decidersWords({ status: "approved", approvals: [], ...more } as unknown as Ask, name);
  const name = (by: string) => by.replace("@x.org", "");
  const signed = (by: string, more = {}) => ({ by: `${by}@x.org`, decision: "approve", ...more });
  const approvals = [signed("ada"), signed("eve", { decision: "void" }), signed("bob", { on_behalf_of: "ann@x.org" })];
  expect(words({ settled_by: "bob@x.org", approvals })).toBe(" by ada and bob for ann");
  expect(words({ settled_by: "bob@x.org", approvals: [signed("bob")] })).toBe(" by bob");
  expect(words({ status: "denied", settled_by: "bob@x.org", approvals })).toBe(" by bob");
});
