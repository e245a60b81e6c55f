import { newKey } from "@/api/client";
import { identityOf } from "@/api/identity";
import type { Answer, Ask, Me } from "@/api/types";
import { putDraft } from "./answerDrafts";
import { decisionWords, doneWords } from "./decisionWords";
import { dropTables, tableOf } from "./tableDrafts";
import { undoSeconds } from "./undo";
import { outbox } from "./useOutbox";

/** Decide now, send in a moment; with `alike`, others that were seen get the same answer. */
export function decide(ask: Ask, answer: Answer, me: Me, alike: Ask[] = []): void {
  const now = Date.now();
  const seen = { ...answer, digest: answer.digest ?? ask.digest };
  putDraft(ask.id, seen);
  outbox.add({
    key: newKey(),
    user: identityOf(me),
    by: me.user.email,
    askId: ask.id,
    title: ask.title,
    answer: seen,
    words: doneWords(ask, seen),
    alike: alike.length > 0 ? Object.fromEntries(alike.map(({ id, digest }) => [id, digest])) : undefined,
    decidedAt: now,
    due: now + undoSeconds() * 1000,
  });
}

/** Decide many that were seen with one answer: one undo for all of them. */
export function decideTogether(
  asks: Pick<Ask, "id" | "digest">[],
  answer: Answer,
  me: Me,
  { agent, ...about }: { title: string; agent?: string; group?: string },
): void {
  const [first, ...others] = asks;
  if (!first) return;
  const now = Date.now();
  const { group } = about;
  outbox.add({
    key: newKey(),
    user: identityOf(me),
    by: me.user.email,
    askId: first.id,
    ...about,
    table: group ? tableOf(group) : undefined,
    answer: { ...answer, digest: first.digest },
    words: `${decisionWords(answer)} ${asks.length.toLocaleString("en")}${agent ? ` of ${agent}` : ""}`,
    alike: Object.fromEntries(others.map(({ id, digest }) => [id, digest])),
    decidedAt: now,
    due: now + undoSeconds() * 1000,
  });
  if (group) dropTables(group);
}
