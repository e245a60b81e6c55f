import { describe, expect, it } from "vitest";
import type { Ask } from "@/api/types";
import { budgetToSend } from "./budget";
import { changesBetween } from "./edit";
import { dueStage, refusalFor, startedIt } from "./may";
import { choicesFor } from "./Remember";
import { batchToSend, edited, planLabel, type Step, stepsToSend, toggled, WHOLE } from "./steps";
import { lateWords } from "./words";

const ask = (fields: Partial<Ask>): Ask =>
  ({ approvals: [], approvers: [], approvals_required: 1, stages: null, assignee: null, ...fields }) as Ask;

describe("a plan", () => {
  const steps = ["1", "2", "3"].map((id) => ({ id, tool: "write_file", arguments: { path: id } })) as unknown as Step[];
  const [one] = steps as [Step];

  it("is sent without steps when all of them stay as they are", () => {
    expect(stepsToSend(steps, WHOLE)).toBeUndefined();
    expect(planLabel(steps, WHOLE)).toBe("Approve all 3 steps");
  });
  it("names the steps that stay", () => {
    const choice = toggled(WHOLE, "2");
    expect(stepsToSend(steps, choice)).toEqual(["1", "3"]);
    expect(planLabel(steps, choice)).toBe("Approve 2 of 3 steps");
    expect(stepsToSend(steps, toggled(choice, "2"))).toBeUndefined();
  });
  it("carries other arguments", () => {
    const choice = edited(WHOLE, one, { path: "x" });
    expect(stepsToSend(steps, choice)).toEqual([{ id: "1", arguments: { path: "x" } }, "2", "3"]);
    expect(edited(choice, one, { path: "1" })).toEqual(WHOLE);
  });
  it("cannot be approved without a step", () => {
    const none = steps.reduce((choice, { id }) => toggled(choice, id), WHOLE);
    expect(planLabel(steps, none)).toBe("Choose a step");
  });
});

it("a batch has null where a call is left out", () => {
  expect(batchToSend(["a", "b"], new Set())).toBeUndefined();
  expect(batchToSend(["a", "b"], new Set([0]))).toEqual({ calls: [null, "b"] });
});

it("a budget leaves out what is empty or zero, and needs something", () => {
  expect(budgetToSend({ credits: 50 }, { credits: 50 })).toEqual({ ok: true, changed: false, value: { credits: 50 } });
  expect(budgetToSend({ credits: 50 }, { credits: 20, hours: 0 })).toMatchObject({
    changed: true,
    value: { credits: 20 },
  });
  expect(budgetToSend({ credits: 50 }, {}).ok).toBe(false);
});

it("changes are found inside objects, lists are compared whole", () => {
  expect(changesBetween({ a: 1, b: { c: 2 }, d: [1] }, { b: { c: 3 }, d: [1, 2], e: 5 })).toEqual([
    { path: "a", change: "removed", original: 1, modified: undefined },
    { path: "b.c", change: "changed", original: 2, modified: 3 },
    { path: "d", change: "changed", original: [1], modified: [1, 2] },
    { path: "e", change: "added", original: undefined, modified: 5 },
  ]);
});

describe("who may decide", () => {
  const person = (role: string, email = "me@x.org") => ({ role, user: { id: "u", email } });
  it("is what the server says, with words for why not", () => {
    expect(refusalFor(person("viewer"), ask({ may_decide: false }))).toMatch(/read/);
    expect(
      refusalFor(person("member"), ask({ may_decide: false, approvers: ["role:approver", "group:finance"] })),
    ).toBe("This needs one of: any approver, the group finance.");
    expect(refusalFor(person("member"), ask({ may_decide: true, approvers: ["group:finance"] }))).toBeNull();
  });
  it("leaves the starter a refusal where four eyes are wanted", () => {
    const mine = ask({ may_decide: false, four_eyes: true, started_by: "me@x.org" });
    expect(refusalFor(person("admin"), mine)).toBeNull();
    expect(startedIt(person("admin"), mine)).toBe(true);
    expect(startedIt(person("admin", "other@x.org"), mine)).toBe(false);
  });
  it("is whose stage it is", () => {
    const stages = [
      { name: "lead", approvers: ["lead@x.org"], count: 1 },
      { name: "boss", approvers: ["boss@x.org"], count: 1 },
    ];
    const signed = [{ by: "lead@x.org", decision: "approve", at: "" }];
    const staged = ask({ stages, approvals_required: 2, approvals: signed });
    expect(dueStage(staged)?.name).toBe("boss");
    expect(refusalFor(person("admin", "boss@x.org"), { ...staged, may_decide: true })).toBeNull();
    expect(refusalFor(person("admin", "lead@x.org"), staged)).toMatch(/You have signed/);
  });
});

it("only a proposal is offered where a rule wants a person; for an agent only to admins", () => {
  const values = (fields: Partial<Ask>, admin: boolean) =>
    choicesFor(ask({ tool: "t", agent: "a", run_id: "r", rule: null, ...fields }), admin).map(({ value }) => value);
  expect(values({}, true)).toEqual(["run", "agent", "rule"]);
  expect(values({}, false)).toEqual(["run", "rule"]);
  expect(values({ rule: "two people" }, true)).toEqual(["rule"]);
});

it("who came too late reads who was faster, and how", () => {
  const state = { status: "denied", settled_by: "ana@x.org", answer: { note: "Not today" } };
  expect(lateWords(state)).toBe("It was denied by ana@x.org before. “Not today”");
  expect(lateWords({})).toBeNull();
});
