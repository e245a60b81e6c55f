import { useSyncExternalStore } from "react";

/** Text that a model is writing right now. Not stored by the server: the finished message replaces it. */
interface Draft {
  turn: number;
  attempt: number;
  text: string;
}

const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Add what was written; a new turn or a new try starts afresh. */
export function write(runId: string, piece: Draft): void {
  const draft = drafts.get(runId);
  const goesOn = draft?.turn === piece.turn && draft.attempt === piece.attempt;
  drafts.set(runId, goesOn ? { ...piece, text: draft.text + piece.text } : piece);
  tell();
}

/** The message is complete, or the run has ended. */
export function wipe(runId: string): void {
  if (drafts.delete(runId)) tell();
}

export function textBeingWritten(runId: string): string {
  return drafts.get(runId)?.text ?? "";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTextBeingWritten(runId: string): string {
  return useSyncExternalStore(subscribe, () => textBeingWritten(runId));
}
