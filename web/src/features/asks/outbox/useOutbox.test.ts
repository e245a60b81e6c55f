import { describe, expect, it, vi } from "vitest";
import { draftOf, dropDraft, keepDraft, putDraft } from "./answerDrafts";
import type { Outgoing } from "./outbox";
import { forget } from "./undo";
import { changeAuthor } from "./useOutbox";

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
