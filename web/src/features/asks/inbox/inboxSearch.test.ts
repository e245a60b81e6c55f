// @vitest-environment jsdom
import { expect, it } from "vitest";
import { isPlain, keepSearch, keptSearch } from "./inboxSearch";

it("what somebody chose to see is there again for them, without what they searched for", () => {
  keepSearch("ada", { kind: "plan", sort: "risk", grouped: true, q: "letter", alike: "a1" });
  expect(keptSearch("ada")).toEqual({ kind: "plan", sort: "risk", grouped: true });
  expect(isPlain(keptSearch("bob"))).toBe(true);
  localStorage.setItem("signoff.inbox.ada", "no JSON");
  expect(isPlain(keptSearch("ada"))).toBe(true);
});
