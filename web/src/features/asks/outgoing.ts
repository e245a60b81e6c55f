import { useSyncExternalStore } from "react";
import { http, newKey, queries } from "@/api/client";
import { Problem, wordsOf } from "@/api/problems";
import type { Answer, Ask } from "@/api/types";
import { failed, told } from "@/ui/toast";
import { askKey, forgetAsk } from "./cache";
import { Outbox, type Outgoing } from "./outbox";
import { decisionWords, lateWords } from "./words";

/** How long a decision can be taken back; 0 sends it at once. */
export function undoSeconds(): number {
  const chosen = Number(localStorage.getItem("signoff.undo-seconds") ?? "5");
  return Number.isFinite(chosen) ? Math.min(Math.max(chosen, 0), 60) : 5;
}

export const outbox = new Outbox({
  storage: localStorage,
  now: Date.now,
  send: async ({ askId, answer, key }, leaving) => {
    const { data } = await http.POST("/api/asks/{ask_id}/answer", {
      params: { path: { ask_id: askId } },
      body: answer,
      headers: { "Idempotency-Key": key },
      keepalive: leaving,
    });
    return data as Ask;
  },
  onSent: (_, ask) => {
    queries.setQueryData(askKey(ask.id), ask);
    if (ask.status === "pending") told({ message: signedWords(ask), tone: "good" });
    else forgetAsk(ask);
  },
  onLate: ({ askId, title, answer }, error) => {
    const late = lateWords(error instanceof Problem ? error.state : {}) ?? wordsOf(error);
    const yours = decisionWords(answer).toLowerCase();
    told({
      title: `Too late: ${title}`,
      message: `${late} Your answer (${yours}) was not used.`,
      tone: "warn",
      stays: true,
      to: askId,
    });
    queries.invalidateQueries({ queryKey: askKey(askId) });
    queries.invalidateQueries({ queryKey: ["get", "/api/asks"] });
    queries.invalidateQueries({ queryKey: ["get", "/api/asks/count"] });
  },
  onFailed: ({ askId }, error) => {
    failed(error);
    queries.invalidateQueries({ queryKey: askKey(askId) });
  },
});

function signedWords(ask: Ask): string {
  const given = ask.approvals.filter((approval) => approval.decision === "approve").length;
  const missing = Math.max(0, ask.approvals_required - given);
  return missing > 0 ? `Signed. ${missing} more must sign: ${ask.title}` : `Signed: ${ask.title}`;
}

/** Decide now, send in a moment. */
export function decide(ask: Ask, answer: Answer, user: string): void {
  const now = Date.now();
  outbox.add({
    key: newKey(),
    user,
    askId: ask.id,
    title: ask.title,
    answer: { ...answer, digest: answer.digest ?? ask.digest },
    decidedAt: now,
    due: now + undoSeconds() * 1000,
  });
}

export function useOutgoing(): readonly Outgoing[] {
  return useSyncExternalStore(outbox.subscribe, outbox.all);
}

/** The decision about one ask that is on its way. */
export function useOutgoingFor(askId: string): Outgoing | undefined {
  return useOutgoing().find((item) => item.askId === askId);
}
