import { expect, it } from "vitest";
import { actionChoices, actionWords, actorWords, placeOf, subjectWords } from "./auditWords";

it("an answer is told as what it was", () => {
  expect(actionWords({ action: "ask.answered", data: { status: "denied" } })).toBe("denied");
  expect(actionWords({ action: "ask.answered", data: {} })).toBe("answered an ask");
  expect(actionWords({ action: "key.turned_over", data: {} })).toBe("key turned over");
});

it("an approval of something else than was proposed is told as that", () => {
  const told = (data: object) => actionWords({ action: "ask.answered", data: { status: "approved", ...data } });
  expect(told({ changed: ["content"] })).toBe("approved with changes");
  expect(told({ left_out: ["two"], steps: 2, steps_proposed: 3, edited_steps: [] })).toBe("approved 2 of 3 steps");
  expect(told({ left_out: ["b"], steps: 2, steps_proposed: 3, edited_steps: ["a"] })).toBe(
    "approved 2 of 3 steps, 1 of them changed",
  );
  expect(told({ left_out: [], edited_steps: ["a"] })).toBe("approved with changes");
  expect(told({})).toBe("approved");
});

it("what a rule let through and who stood in for whom have words", () => {
  const told = (action: string) => actionWords({ action, data: {} });
  expect(["ask.auto_approved", "delegation.created", "delegation.ended"].map(told)).toEqual([
    "let an ask through by a rule",
    "named a deputy",
    "ended a delegation",
  ]);
});

it("an agent goes by its name", () => {
  const named = (slug: string) => ({ office: "Office clerk" })[slug] ?? slug;
  expect(actorWords("agent:office", named)).toEqual({ name: "Office clerk", isAgent: true });
  expect(actorWords("agent:deleted", named)).toEqual({ name: "deleted", isAgent: true });
  expect(actorWords("ada@example.com", named)).toEqual({ name: "ada@example.com", isAgent: false });
});

it("an entry leads to its ask, or to its run while there is one", () => {
  const entry = { subject: "x1", run_id: "r1", data: {} };
  expect(placeOf({ ...entry, action: "ask.opened" })).toEqual({ askId: "x1" });
  expect(placeOf({ ...entry, action: "call.succeeded" })).toEqual({ runId: "r1" });
  expect(placeOf({ ...entry, action: "run.deleted" })).toBeNull();
  expect(placeOf({ ...entry, run_id: null, action: "member.added" })).toBeNull();
});

it("what was chosen can be chosen, also without words of its own", () => {
  expect(actionChoices("key.turned").map(({ value }) => value)).toContain("key.turned");
  expect(actionChoices("ask.opened").filter(({ value }) => value === "ask.opened")).toHaveLength(1);
});

it("a subject goes by its name, and an id is left to the details", () => {
  expect(subjectWords({ subject: "01a1e2fd-6136-743e-a304-21f9d2b3aedb", data: { title: "Pay" } })).toBe("Pay");
  expect(subjectWords({ subject: "01a1e2fd-6136-743e-a304-21f9d2b3aedb", data: {} })).toBe("");
  expect(subjectWords({ subject: "office", data: {} })).toBe("office");
});

it("says for whom a way in was made", () => {
  const link = { action: "link.created", subject: "0190-x", data: { for: "eve@x.org" } };
  expect([actionWords(link), subjectWords(link)]).toEqual(["made a sign-in link", "eve@x.org"]);
});
