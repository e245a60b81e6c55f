import { useSyncExternalStore } from "react";
import type { Answer, Ask } from "@/api/types";
import { readDrafts, storeDrafts } from "./draftStorage";

export interface Draft extends Answer {
  /** Why it was about to be refused, apart from the note: that goes along with an approval. */
  reason?: string;
}

/** What somebody wrote about an ask and has not sent, or took back: its card starts from it, also after a reload. */
const drafts = new Map<string, Draft>(readDrafts());

/** How often the cards of an ask had to start again from its draft. */
const starts = new Map<string, number>();
const listeners = new Set<() => void>();

/** What was written for other arguments than are there now says nothing about these; the words are kept. */
export function draftOf({ id, digest }: Pick<Ask, "id" | "digest">): Partial<Draft> {
  const draft = drafts.get(id);
  if (!draft || draft.digest === digest) return draft ?? {};
  const { decision, note, end_run, reason } = draft;
  return { decision, note, end_run, reason };
}

export function keepDraft(ask: Pick<Ask, "id" | "digest">, part: Partial<Draft>): void {
  putDraft(ask.id, { decision: "approve", ...draftOf(ask), ...part, digest: ask.digest });
}

export function putDraft(askId: string, draft: Draft): void {
  drafts.delete(askId);
  drafts.set(askId, draft);
  storeDrafts(drafts);
}

export function dropDraft(askId: string): void {
  if (drafts.delete(askId)) storeDrafts(drafts);
}

export function dropDrafts(): void {
  drafts.clear();
  storeDrafts(drafts);
}

/** The draft was changed from elsewhere: every card of this ask shows what is in it now. */
export function startAgain(askId: string): void {
  starts.set(askId, (starts.get(askId) ?? 0) + 1);
  for (const listener of listeners) listener();
}

/** Changes whenever a card of this ask has to start again. */
export const useStart = (askId: string): number => useSyncExternalStore(subscribe, () => starts.get(askId) ?? 0);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
