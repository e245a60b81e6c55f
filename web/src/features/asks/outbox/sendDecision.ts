import { http, queries } from "@/api/client";
import { askKey, forgetAsks, readAsk } from "@/api/live/askCache";
import { Problem, wordsOf } from "@/api/problems";
import { keyOf } from "@/api/queryKeys";
import type { Ask, EffectPreview } from "@/api/types";
import { lateWords } from "@/ui/domain/askOutcomes";
import { showNotice } from "@/ui/overlay/toast";
import { dropDraft } from "./answerDrafts";
import { answerMany, type BatchResult, batchWords, leftOut, leftOutWords, MOST_NAMED } from "./batchAnswers";
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
  send: async ({ askId, answer, alike, key }, leaving, onPart) => {
    if (alike) {
      const { decision, value, note, digest = null } = answer;
      const batch = { key, seen: { [askId]: digest, ...alike }, answer: { decision, value, note } };
      return { results: await answerMany(batch, (body, post) => sendBody(body, leaving, post), onPart) };
    }
    const headers = { "Idempotency-Key": key };
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
    else forgetAsks(ask);
  },
  onLate: (outgoing, error) => {
    const state = error instanceof Problem ? error.state : {};
    if (error instanceof Problem && error.code === "preview_changed") return tellChanged(outgoing, state);
    tellLate(outgoing, lateWords(state) ?? wordsOf(error), lateAction(outgoing.answer, state));
  },
  onRefused: ({ askId, title, problem }) => {
    const message = `${problem} Your text is saved.`;
    showNotice({ title: `Not accepted: ${title}`, message, tone: "warn", stays: true, to: askId });
    queries.invalidateQueries({ queryKey: askKey(askId) });
  },
  onUnstored: () =>
    showNotice({
      message: "This browser can't save your decision. Keep this page open until it's sent.",
      tone: "warn",
    }),
};

const sendBody = <T>(body: unknown, leaving: boolean, send: (keepalive: boolean) => Promise<T>): Promise<T> =>
  leaving ? keepaliveRequest(body, send) : send(false);

function tellLate({ askId, title, answer, words }: Outgoing, late: string, action?: LateAction): void {
  const yours = (words ?? decisionWords(answer)).toLowerCase();
  const message = `${late} Your answer (${yours}) was not used.`;
  showNotice({ title: `Too late: ${title}`, message, tone: "warn", stays: true, to: askId, action });
  for (const queryKey of [askKey(askId), keyOf("/api/asks"), keyOf("/api/asks/count")])
    queries.invalidateQueries({ queryKey });
}

/** The world moved on: what would happen now stands on the ask, and what was approved did not. */
function tellChanged({ askId, title }: Outgoing, { was, preview }: Record<string, unknown>): void {
  const [before, now] = [was, preview].map((each) => (each as EffectPreview | null)?.summary ?? "nothing is known");
  const message = `It would have: ${before}. By now: ${now}. Nothing was approved. Look at it again, then decide.`;
  showNotice({ title: `Changed meanwhile: ${title}`, message, tone: "warn", stays: true, to: askId });
  queries.invalidateQueries({ queryKey: askKey(askId) });
}

const DONE = { approve: "approved", deny: "denied", respond: "answered" };

async function tellOfEach(outgoing: Outgoing, results: BatchResult[]): Promise<void> {
  const settled = results.filter(({ status, error }) => !error && status !== "pending");
  forgetAsks(...settled.map(({ id }) => ({ id, run_id: null })));
  queries.invalidateQueries({ queryKey: keyOf("/api/asks") });
  const left = leftOut(results);
  const message = batchWords(results, DONE[outgoing.answer.decision]);
  if (left.length === 0) return showNotice({ message, tone: "good" });
  const named = await Promise.all(left.slice(0, MOST_NAMED).map(withTitle));
  const to = left.length === 1 ? left[0]?.id : undefined;
  showNotice({ title: message, message: leftOutWords(named, left.length), tone: "warn", stays: true, to });
}

async function withTitle({ id, error }: { id: string; error: string }): Promise<{ title: string; error: string }> {
  const ask = await readAsk(id).catch(() => null);
  return { title: ask?.title ?? id, error };
}

function signedWords(ask: Ask, { answer, by }: Outgoing): string {
  const own = ask.approvals.some((signature) => signature.by === by && signature.decision === "approve");
  if (answer.arguments && !own) return `Changed. Someone else must approve: ${ask.title}`;
  const given = signatures(ask);
  const missing = Math.max(0, ask.approvals_required - given);
  return missing > 0 ? `Signed. ${missing} more must sign: ${ask.title}` : `Signed: ${ask.title}`;
}
