import { http, queries } from "@/api/client";
import { keyOf } from "@/api/keys";
import { Problem, wordsOf } from "@/api/problems";
import type { Ask } from "@/api/types";
import { decisionWords, lateWords } from "@/ui/domain/words";
import { told } from "@/ui/overlay/toast";
import { signatures } from "../decision/may";
import { type BatchResult, batchWords, digestsOf } from "./batch";
import { askKey, forgetAsk, readAsk } from "./cache";
import { dropDraft } from "./drafts";
import { outliving } from "./keepalive";
import type { Means, Outgoing } from "./outbox";

type Sent = { ask: Ask } | { results: BatchResult[] };

/** How decisions reach the server, and what people are told of it. */
export const MEANS: Means<Sent> = {
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
    if (ask.status === "pending") told({ message: signedWords(ask, outgoing), tone: "good" });
    else forgetAsk(ask);
  },
  onLate: (outgoing, error) =>
    tellLate(outgoing, lateWords(error instanceof Problem ? error.state : {}) ?? wordsOf(error)),
  onRefused: ({ askId, title, problem }) => {
    const message = `${problem} What you wrote is kept.`;
    told({ title: `Not taken: ${title}`, message, tone: "warn", stays: true, to: askId });
    queries.invalidateQueries({ queryKey: askKey(askId) });
  },
  onUnstored: () =>
    told({
      message: "This browser has no room to keep your decision. Leave the page open until it is sent.",
      tone: "warn",
    }),
};

const sendBody = (body: unknown, leaving: boolean, send: (keepalive: boolean) => Promise<Sent>): Promise<Sent> =>
  leaving ? outliving(body, send) : send(false);

function tellLate({ askId, title, answer, words }: Outgoing, late: string): void {
  const yours = (words ?? decisionWords(answer)).toLowerCase();
  const message = `${late} Your answer (${yours}) was not used.`;
  told({ title: `Too late: ${title}`, message, tone: "warn", stays: true, to: askId });
  for (const queryKey of [askKey(askId), keyOf("/api/asks"), keyOf("/api/asks/count")])
    queries.invalidateQueries({ queryKey });
}

function tellOfEach(outgoing: Outgoing, results: BatchResult[]): void {
  for (const { id, error } of results) if (!error) forgetAsk({ id, run_id: null });
  const own = results.find(({ id }) => id === outgoing.askId);
  if (own?.error) tellLate(outgoing, own.error);
  told({ message: batchWords(results, "answered"), tone: results.some(({ error }) => error) ? "warn" : "good" });
  queries.invalidateQueries({ queryKey: keyOf("/api/asks") });
}

function signedWords(ask: Ask, { answer, by }: Outgoing): string {
  const own = ask.approvals.some((signature) => signature.by === by && signature.decision === "approve");
  if (answer.arguments && !own) return `Changed. Somebody else must approve: ${ask.title}`;
  const given = signatures(ask);
  const missing = Math.max(0, ask.approvals_required - given);
  return missing > 0 ? `Signed. ${missing} more must sign: ${ask.title}` : `Signed: ${ask.title}`;
}
