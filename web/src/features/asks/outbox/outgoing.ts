import { useSyncExternalStore } from "react";
import { newKey } from "@/api/client";
import type { Answer, Ask } from "@/api/types";
import { told } from "@/ui/overlay/toast";
import { doneWords } from "../decision/may";
import { dropDraft, dropDrafts, putDraft, startAgain } from "./drafts";
import { Outbox, type Outgoing } from "./outbox";
import { MEANS } from "./sending";

export const outbox = new Outbox(MEANS);

/** Somebody signed in or out: what the one before decided or wrote here is not theirs. */
export function authorChanged(user: string | null): void {
  // Whoever only had to sign in again goes on with what they wrote.
  if (!outbox.isOf(user)) dropDrafts();
  outbox.belongTo(user);
}

/** How long a decision can be taken back; 0 sends it at once. */
export function undoSeconds(): number {
  const chosen = Number(localStorage.getItem("signoff.undo-seconds") ?? "5");
  return Number.isFinite(chosen) ? Math.min(Math.max(chosen, 0), 60) : 5;
}

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

/** Take a decision back; its card starts again from what was written. Says whether there is something to decide. */
export async function undo({ key, askId, title, answer }: Outgoing): Promise<boolean> {
  putDraft(askId, answer);
  const undone = await outbox.undo(key);
  if (undone === "undone") return true;
  if (undone === "taken") {
    dropDraft(askId);
    told({ title: `Sent already: ${title}`, message: "Your answer had arrived before.", tone: "warn", to: askId });
  }
  if (undone === "unknown")
    told({
      title: `Taken back here: ${title}`,
      message: "It was on its way before, and Signoff cannot be reached to see whether it arrived. Look at it later.",
      tone: "warn",
      stays: true,
      to: askId,
    });
  return undone === "unknown";
}

/** Give up what was not taken, and what was written for it. */
export async function forget({ key, askId }: Outgoing): Promise<void> {
  await outbox.undo(key);
  dropDraft(askId);
  startAgain(askId);
}

const useAll = (): readonly Outgoing[] => useSyncExternalStore(outbox.subscribe, outbox.all);

/** What is decided and not there yet. */
export const useOutgoing = (): readonly Outgoing[] => useAll().filter(({ state }) => state !== "refused");

/** What the server did not take, until its author looks at it again. */
export const useRefused = (): readonly Outgoing[] => useAll().filter(({ state }) => state === "refused");

/** The decision about one ask that is on its way. */
export const useOutgoingFor = (askId: string): Outgoing | undefined =>
  useOutgoing().find((item) => item.askId === askId || (item.alike && askId in item.alike));

/** The asks that are decided and only about to be sent. */
export const useDecidedIds = (): ReadonlySet<string> =>
  new Set(useOutgoing().flatMap(({ askId, alike }) => [askId, ...Object.keys(alike ?? {})]));
