import { http, queries } from "@/api/client";
import { askKey, forgetAsk, readAsk } from "@/api/live/askCache";
import { Problem, wordsOf } from "@/api/problems";
import { keyOf } from "@/api/queryKeys";
import type { Ask } from "@/api/types";
import { lateWords } from "@/ui/domain/askOutcomes";
import { showNotice } from "@/ui/overlay/toast";
import { dropDraft } from "./answerDrafts";
import { type BatchResult, batchWords, digestsOf } from "./batchAnswers";
import { decisionWords, signatures } from "./decisionWords";
import { keepaliveRequest } from "./keepaliveRequest";
import { type LateAction, lateAction } from "./lateAnswer";
import type { Delivery, Outgoing } from "./outbox";

type Sent = { ask: Ask } | { results: BatchResult[] };

/** How decisions reach the server, and what people are told of it. */
export const DELIVERY: Delivery<Sent> = {
  // Tests have none when this is read.
  get storage() {
    return localStorage;
  },
  now: Date.now,
  online: () => navigator.onLine,
  send: ({ askId, answer, alike, key }, leaving) => {
    const headers = { "Idempotency-Key": key };
    if (alike) {
      const { decision, value, digest = null } = answer;
      const seen = { [askId]: digest, ...alike };
      const body = { ids: Object.keys(seen), digests: digestsOf(seen), decision, value };
      return sendBody(body, leaving, async (keepalive) => {
        const { data } = await http.POST("/api/asks/batch", { body, headers, keepalive });
        return { results: data?.results ?? [] };
      });
    }
    const params = { path: { ask_id: askId } };
    return sendBody(answer, leaving, async (keepalive) => {
      const { data } = await http.POST("/api/asks/{ask_id}/answer", { params, body: answer, headers, keepalive });
      return { ask: data as Ask };
    });
  },
  taken: async ({ askId, by }) => {
    try {
      const ask = await readAsk(askId);
      queries.setQueryData(askKey(askId), ask);
      return ask.settled_by === by ||
        ask.approvals.some((signature) => signature.by === by && signature.decision !== "void")
        ? "yes"
        : "no";
    } catch {
      return "unknown";
    }
  },
  onSent: (outgoing, sent) => {
    dropDraft(outgoing.askId);
    if ("results" in sent) return tellOfEach(outgoing, sent.results);
    const { ask } = sent;
    queries.setQueryData(askKey(ask.id), ask);
    // It was read for its author, and somebody else may have signed in meanwhile.
    queries.invalidateQueries({ queryKey: askKey(ask.id) });
    if (ask.status === "pending") showNotice({ message: signedWords(ask, outgoing), tone: "good" });
    else forgetAsk(ask);
  },
  onLate: (outgoing, error) => {
    const state = error instanceof Problem ? error.state : {};
    tellLate(outgoing, lateWords(state) ?? wordsOf(error), lateAction(outgoing.answer, state));
  },
  onRefused: ({ askId, title, problem }) => {
    const message = `${problem} Your text is saved.`;
    showNotice({ title: `Not taken: ${title}`, message, tone: "warn", stays: true, to: askId });
    queries.invalidateQueries({ queryKey: askKey(askId) });
  },
  onUnstored: () =>
    showNotice({
      message: "This browser can't save your decision. Keep this page open until it's sent.",
      tone: "warn",
    }),
};

const sendBody = (body: unknown, leaving: boolean, send: (keepalive: boolean) => Promise<Sent>): Promise<Sent> =>
  leaving ? keepaliveRequest(body, send) : send(false);

function tellLate({ askId, title, answer, words }: Outgoing, late: string, action?: LateAction): void {
  const yours = (words ?? decisionWords(answer)).toLowerCase();
  const message = `${late} Your answer (${yours}) was not used.`;
  showNotice({ title: `Too late: ${title}`, message, tone: "warn", stays: true, to: askId, action });
  for (const queryKey of [askKey(askId), keyOf("/api/asks"), keyOf("/api/asks/count")])
    queries.invalidateQueries({ queryKey });
}

function tellOfEach(outgoing: Outgoing, results: BatchResult[]): void {
  for (const { id, error } of results) if (!error) forgetAsk({ id, run_id: null });
  const own = results.find(({ id }) => id === outgoing.askId);
  if (own?.error) tellLate(outgoing, own.error);
  showNotice({ message: batchWords(results, "answered"), tone: results.some(({ error }) => error) ? "warn" : "good" });
  queries.invalidateQueries({ queryKey: keyOf("/api/asks") });
}

function signedWords(ask: Ask, { answer, by }: Outgoing): string {
  const own = ask.approvals.some((signature) => signature.by === by && signature.decision === "approve");
  if (answer.arguments && !own) return `Changed. Someone else must approve: ${ask.title}`;
  const given = signatures(ask);
  const missing = Math.max(0, ask.approvals_required - given);
  return missing > 0 ? `Signed. ${missing} more must sign: ${ask.title}` : `Signed: ${ask.title}`;
}
