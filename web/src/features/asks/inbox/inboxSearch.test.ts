// @vitest-environment jsdom
import { expect, it } from "vitest";
import { inboxSearch, isPlain, keepSearch, keptSearch, nextView, queryOf } from "./inboxSearch";

it("what somebody chose to see is there again for them, without what they searched for", () => {
  keepSearch("ada", { kind: "plan", sort: "risk", grouped: true, q: "letter", alike: "a1", view: "waiting" });
  expect(keptSearch("ada")).toEqual({ kind: "plan", sort: "risk", grouped: true });
  expect(isPlain(keptSearch("bob"))).toBe(true);
  localStorage.setItem("signoff.inbox.ada", "no JSON");
  expect(isPlain(keptSearch("ada"))).toBe(true);
});

it("each view asks the server for its own, and what one view knows does not stay in another", () => {
  expect(queryOf({ sort: "risk" })).toMatchObject({ view: "open", sort: "risk" });
  expect(queryOf({ view: "waiting" })).toMatchObject({ view: "waiting", sort: "oldest" });
  expect(queryOf({ view: "decided" })).toMatchObject({ view: "decided", by: "me" });
  expect(queryOf({ view: "decided", everyone: true, outcome: "denied" })).toMatchObject({ status: "denied" });
  expect(queryOf({ view: "decided", everyone: true })).toHaveProperty("by", undefined);
  expect(inboxSearch({ view: "mine", outcome: "denied", everyone: true })).not.toHaveProperty("view", "mine");
  expect(inboxSearch({ view: "waiting", outcome: "denied", everyone: true })).toMatchObject({ outcome: undefined });
  expect([{}, { view: "waiting" }, { view: "decided" }].map((search) => nextView(inboxSearch(search)))).toEqual([
    "waiting",
    "decided",
    "open",
  ]);
});
