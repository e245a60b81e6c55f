import { describe, expect, it } from "vitest";
import type { Ask } from "@/api/types";
import { signLabel } from "../outbox/decisionWords";
import { barFor, dueStage, mightBeAmong, refusalFor } from "./mayDecide";

const ask = (fields: Partial<Ask>): Ask =>
  ({ approvals: [], approvers: [], approvals_required: 1, stages: null, assignee: null, ...fields }) as Ask;

describe("who may decide", () => {
  const person = (role: string, email = "me@x.org") => ({ role, user: { id: "u", email } });
  it("is what the server says, with words for why not", () => {
    expect(refusalFor(person("viewer"), ask({ may_decide: false }))).toMatch(/view/);
    expect(
      refusalFor(person("member"), ask({ may_decide: false, approvers: ["role:approver", "group:finance"] })),
    ).toBe("Needs one of: any approver, the group finance.");
    expect(refusalFor(person("member"), ask({ may_decide: true, approvers: ["group:finance"] }))).toBeNull();
  });
  it("leaves a refusal to whoever may not approve their own work", () => {
    const barred = "You steered this run. You can still refuse it.";
    const mine = ask({ may_decide: false, may_refuse: true, four_eyes: true, barred, approvers: ["approver"] });
    expect(refusalFor(person("admin"), mine)).toBeNull();
    expect(barFor(person("admin"), mine)).toBe(barred);
    expect(refusalFor(person("approver"), { ...mine, may_refuse: false, barred: "A token." })).toBe("A token.");
    expect(barFor(person("admin", "other@x.org"), { ...mine, barred: null, may_decide: true })).toBeNull();
    expect(refusalFor(person("member"), { ...mine, barred: null })).toBe("An approver must decide this.");
  });
  it("does not count a signature that was struck out", () => {
    const struck = [{ by: "me@x.org", decision: "void", at: "", void: "is no longer a member" }];
    const waits = ask({ may_decide: true, approvals_required: 2, approvals: struck });
    expect(barFor(person("approver"), waits)).toBeNull();
    expect(signLabel(waits, "Approve")).toBe("Sign, 1 of 2");
  });
  it("leaves a refusal to whoever has signed one of several", () => {
    const by = [{ by: "me@x.org", decision: "approve", at: "" }];
    const signed = ask({ may_decide: true, approvals_required: 2, approvals: by });
    expect(refusalFor(person("approver"), signed)).toBeNull();
    expect(barFor(person("approver"), signed)).toMatch(/You signed/);
    expect(refusalFor(person("approver"), { ...signed, may_decide: false })).toMatch(/You signed/);
  });
  it("is whoever is named by email, id, role or group", () => {
    const ana = { role: "approver", user: { id: "u1", email: "ana@x.org" } };
    expect(mightBeAmong(ana, ["ana@x.org"])).toBe(true);
    expect(mightBeAmong(ana, ["u1"])).toBe(true);
    expect(mightBeAmong(ana, ["role:member"])).toBe(true);
    expect(mightBeAmong(ana, ["admin", "bo@x.org"])).toBe(false);
    expect(mightBeAmong(ana, ["group:finance"], (name) => name === "legal")).toBe(false);
  });
  it("is whose stage it is", () => {
    const stages = [
      { name: "lead", approvers: ["lead@x.org"], count: 1 },
      { name: "boss", approvers: ["boss@x.org"], count: 1 },
    ];
    const signed = [{ by: "lead@x.org", decision: "approve", at: "", stage: "lead" }];
    const staged = ask({ stages, approvals_required: 2, approvals: signed });
    expect(dueStage(staged)?.name).toBe("boss");
    expect(refusalFor(person("admin", "boss@x.org"), { ...staged, may_decide: true })).toBeNull();
    expect(refusalFor(person("admin", "lead@x.org"), staged)).toMatch(/You signed/);
  });
});
