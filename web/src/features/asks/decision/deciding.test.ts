import { describe, expect, it, vi } from "vitest";
import type { Answer, Ask } from "@/api/types";
import { lateWords } from "@/ui/domain/askOutcomes";
import { changesBetween, changeWords } from "../arguments/argumentChanges";
import { judgeEdit, problemsIn } from "../arguments/editedArguments";
import { placeOf } from "../arguments/runFile";
import { timeoutWords, urgency } from "../detail/deadlineWords";
import { budgetToSend } from "../kinds/budgetAmounts";
import { batchToSend, leftIn, withoutEdits } from "../kinds/callChoice";
import { choiceOf, edited, planLabel, type Step, stepsToSend, toggled, WHOLE } from "../kinds/planChoice";
import { draftOf, dropDraft, keepDraft, putDraft } from "../outbox/answerDrafts";
import { doneWords, signLabel } from "../outbox/decisionWords";
import type { Outgoing } from "../outbox/outbox";
import { forget } from "../outbox/undo";
import { changeAuthor } from "../outbox/useOutbox";
import { barFor, dueStage, mightBeAmong, refusalFor } from "./mayDecide";
import { choicesFor } from "./RememberChoices";

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
  it("is chosen again from what was sent", () => {
    const choice = edited(toggled(WHOLE, "2"), one, { path: "x" });
    expect(choiceOf(steps, stepsToSend(steps, choice))).toEqual(choice);
    expect(choiceOf(steps, undefined)).toEqual(WHOLE);
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

it("a batch is ticked again from what was sent, unless calls were changed", () => {
  const calls = ["a", null, "c"];
  expect(leftIn(calls, batchToSend(calls, new Set([2])))).toEqual(new Set([2]));
  expect(leftIn(calls, undefined)).toEqual(new Set());
  expect(leftIn(calls, { calls: ["b", null, "c"] })).toBeNull();
});

it("a batch without its edits keeps what was left out", () => {
  const calls = ["a", "b", null];
  expect(withoutEdits(calls, { calls: ["changed", null, null] })).toEqual({ calls: ["a", null, null] });
  expect(withoutEdits(calls, { calls: ["changed", "b", null] })).toBeNull();
  expect(withoutEdits(calls, null)).toBeNull();
});

it("a budget leaves out what is empty or zero, and needs something", () => {
  expect(budgetToSend({ credits: 50 }, { credits: 50 })).toEqual({
    changed: false,
    value: { credits: 50 },
    problems: {},
  });
  expect(budgetToSend({ credits: 50 }, { credits: 20, hours: 0 })).toMatchObject({
    changed: true,
    value: { credits: 20 },
  });
  expect(budgetToSend({ credits: 50 }, {}).problems.any).toBeTruthy();
});

it("a budget says what the server would refuse", () => {
  const { problems } = budgetToSend({}, { credits: -1, hours: 25, iterations: 1.5 });
  expect(problems).toEqual({
    credits: "must be more than 0",
    hours: "at most 24",
    iterations: "must be a whole number",
  });
});

it("a cleared field counts as missing", async () => {
  const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  expect(await problemsIn(schema, { path: undefined })).toEqual([{ path: "path", message: "is required" }]);
  expect(await problemsIn(schema, { path: "a.md" })).toEqual([]);
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
    const struck = [{ by: "me@x.org", decision: "void", at: "", void: "is no member any more" }];
    const waits = ask({ may_decide: true, approvals_required: 2, approvals: struck });
    expect(barFor(person("approver"), waits)).toBeNull();
    expect(signLabel(waits, "Approve")).toBe("Sign, 1 of 2");
  });
  it("leaves a refusal to whoever has signed one of several", () => {
    const by = [{ by: "me@x.org", decision: "approve", at: "" }];
    const signed = ask({ may_decide: true, approvals_required: 2, approvals: by });
    expect(refusalFor(person("approver"), signed)).toBeNull();
    expect(barFor(person("approver"), signed)).toMatch(/You have signed/);
    expect(refusalFor(person("approver"), { ...signed, may_decide: false })).toMatch(/You have signed/);
  });
  it("is whoever is named by e-mail, id, role or group", () => {
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

describe("an edit", () => {
  const before = { path: "a.md" };
  const draft = { values: { path: "b.md" }, problem: null };
  const fine = { data: { errors: [] }, fetchStatus: "idle" as const, isPlaceholderData: false };

  it("is sent once the server has seen it", () => {
    expect(judgeEdit(before, draft, draft, fine)).toMatchObject({ arguments: draft.values, checking: false });
    expect(judgeEdit(before, draft, draft, { ...fine, fetchStatus: "fetching" }).arguments).toBeNull();
    expect(judgeEdit(before, draft, draft, { ...fine, isPlaceholderData: true }).checking).toBe(true);
  });
  it("does not count as untouched while nobody can check it, and goes along", () => {
    const offline = { data: { errors: [] }, fetchStatus: "paused" as const, isPlaceholderData: true };
    const edit = judgeEdit(before, draft, draft, offline);
    expect(edit).toMatchObject({ arguments: draft.values, checking: false, unchecked: true });
    expect(edit.changes).toHaveLength(1);
    const down = judgeEdit(before, draft, draft, { ...fine, error: new TypeError("Failed to fetch") });
    expect(down).toMatchObject({ arguments: draft.values, unchecked: true });
  });
  it("stays here while it is wrong or cannot be read", () => {
    const errors = [{ path: "path", message: "must not be empty" }];
    expect(judgeEdit(before, draft, draft, { ...fine, data: { errors } })).toMatchObject({ arguments: null, errors });
    const torn = { values: null, problem: "Not valid JSON." };
    expect(judgeEdit(before, torn, torn, fine)).toMatchObject({
      arguments: null,
      errors: [{ message: "Not valid JSON." }],
    });
  });
  it("is said in one line", () => {
    expect(changeWords(changesBetween(before, draft.values))).toBe("1 change: path a.md → b.md");
    expect(changeWords(changesBetween({ a: 1, b: [1] }, { a: 2, b: [2] }))).toBe("2 changes: a 1 → 2 …");
    expect(changeWords(changesBetween({ text: "x" }, { text: "long\n".repeat(9) }))).toBe("1 change: text changed");
  });
});

describe("what was written", () => {
  const shown = { id: "a1", digest: "d1" };
  it("comes back to its card after an undo", () => {
    putDraft("a1", { decision: "approve", arguments: { path: "b.md" }, note: "Fine", digest: "d1" });
    expect(draftOf(shown)).toMatchObject({ arguments: { path: "b.md" }, note: "Fine" });
    dropDraft("a1");
    expect(draftOf(shown)).toEqual({});
  });
  it("is there for the same person who signs in again, and for nobody else", () => {
    vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} });
    keepDraft(shown, { note: "Between us" });
    changeAuthor("u2");
    expect(draftOf(shown)).toEqual({});
    keepDraft(shown, { note: "Half a sen" });
    changeAuthor("u2");
    expect(draftOf(shown)).toMatchObject({ note: "Half a sen" });
    changeAuthor(null);
    expect(draftOf(shown)).toEqual({});
    vi.unstubAllGlobals();
  });
  it("is forgotten with the decision that was not taken", async () => {
    vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} });
    keepDraft(shown, { note: "Wrong month" });
    await forget({ key: "k1", askId: "a1" } as Outgoing);
    expect(draftOf(shown)).toEqual({});
    vi.unstubAllGlobals();
  });
  it("keeps its words, not its arguments, when a signer changed the ask", () => {
    keepDraft(shown, { arguments: { path: "b.md" } });
    keepDraft(shown, { note: "Fine" });
    expect(draftOf(shown)).toMatchObject({ arguments: { path: "b.md" }, note: "Fine" });
    expect(draftOf({ ...shown, digest: "d2" })).toEqual({ decision: "approve", note: "Fine", end_run: undefined });
    dropDraft("a1");
  });
});

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
  expect(doneWords(ask({ four_eyes: true }), changed)).toBe("Changed, for somebody else to approve");
  expect(doneWords(two, { decision: "deny" } as Answer)).toBe("Denied");
});

it("a path leads to the file that the server would write", () => {
  for (const path of ["a.md", "./a.md", "x/../a.md", ".//a.md"]) expect(placeOf(path)).toBe("a.md");
  expect(placeOf("notes/./b.md")).toBe("notes/b.md");
});

it("a countdown is quiet until it matters, and says what happens then", () => {
  expect([301, 299, 59].map(urgency)).toEqual(["calm", "soon", "now"]);
  expect(timeoutWords(ask({ on_timeout: "default", default: 3, options: null }))).toBe("then it takes 3");
});
