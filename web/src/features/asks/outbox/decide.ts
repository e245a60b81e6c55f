import { newKey } from "@/api/client";
import type { Answer, Ask } from "@/api/types";
import { putDraft } from "./answerDrafts";
import { doneWords } from "./decisionWords";
import { undoSeconds } from "./undo";
import { outbox } from "./useOutbox";

/** Decide now, send in a moment; with `alike`, others that were seen get the same answer. */
export function decide(ask: Ask, answer: Answer, user: { id: string; email: string }, alike: Ask[] = []): void {
  const now = Date.now();
  const seen = { ...answer, digest: answer.digest ?? ask.digest };
  putDraft(ask.id, seen);
  outbox.add({
    key: newKey(),
    user: user.id,
    by: user.email,
    askId: ask.id,
    title: ask.title,
    answer: seen,
    words: doneWords(ask, seen),
    alike: alike.length > 0 ? Object.fromEntries(alike.map(({ id, digest }) => [id, digest])) : undefined,
    decidedAt: now,
    due: now + undoSeconds() * 1000,
  });
}
