import type { Answer, Ask } from "@/api/types";

/** What somebody wrote about an ask and has not sent, or took back: its card starts from it. */
const drafts = new Map<string, Answer>();

/** What was written for other arguments than are there now says nothing about these; the words are kept. */
export function draftOf({ id, digest }: Pick<Ask, "id" | "digest">): Partial<Answer> {
  const draft = drafts.get(id);
  if (!draft || draft.digest === digest) return draft ?? {};
  const { decision, note, end_run } = draft;
  return { decision, note, end_run };
}

export function keepDraft(ask: Pick<Ask, "id" | "digest">, part: Partial<Answer>): void {
  drafts.set(ask.id, { decision: "approve", ...draftOf(ask), ...part, digest: ask.digest });
}

export const putDraft = (askId: string, answer: Answer): unknown => drafts.set(askId, answer);
export const dropDraft = (askId: string): unknown => drafts.delete(askId);
export const dropDrafts = (): void => drafts.clear();
