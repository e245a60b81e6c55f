import { http } from "@/api/client";
import { Problem, wordsOf } from "@/api/problems";
import type { Answer, Ask } from "@/api/types";

export interface BatchResult {
  id: string;
  status: string | null;
  error?: string | null;
}

type Seen = Pick<Ask, "id" | "digest">;

export const MOST = 200;

/** One answer to many, as they were seen. */
export interface Batch {
  /** The digest of each by its id. */
  seen: Record<string, string | null>;
  answer: Pick<Answer, "decision" | "value" | "note">;
  key: string;
}

type Send = (body: unknown, post: (keepalive: boolean) => Promise<BatchResult[]>) => Promise<BatchResult[]>;

/**
 * Send a batch in as many requests as it takes; each ask has its own result, also when the server refuses one request.
 *
 * Each request has its own key: when the connection goes in the middle, all of it is sent again, and counts once.
 */
export async function answerMany(
  { seen, answer, key }: Batch,
  send: Send,
  onPart: (done: number) => void,
): Promise<BatchResult[]> {
  const results: BatchResult[] = [];
  const all = Object.entries(seen);
  for (let start = 0; start < all.length; start += MOST) {
    const part = Object.fromEntries(all.slice(start, start + MOST));
    const body = { ...answer, ids: Object.keys(part), digests: digestsOf(part) };
    const headers = { "Idempotency-Key": start === 0 ? key : `${key}-${start}` };
    const post = async (keepalive: boolean) =>
      (await http.POST("/api/asks/batch", { body, headers, keepalive })).data?.results ?? [];
    results.push(...(await send(body, post).catch((error) => refusedPart(body.ids, error, start > 0))));
    onPart(results.length);
  }
  return results;
}

/** A part that the server has looked at and refused says so for each, once an earlier one was taken. */
function refusedPart(ids: string[], error: unknown, isLater: boolean): BatchResult[] {
  const refused = error instanceof Problem && error.status < 500 && ![401, 409, 429].includes(error.status);
  if (!isLater || !refused) throw error;
  return ids.map((id) => ({ id, status: null, error: wordsOf(error) }));
}

/** What can get the same answer as one ask, in one request with it: not what is decided already. */
export const othersIn = <Each extends Seen>(alike: Each[], { id: own }: Seen, decided: ReadonlySet<string>): Each[] =>
  alike.filter(({ id }) => id !== own && !decided.has(id)).slice(0, MOST - 1);

/** What was seen of each, for the server to compare. */
export const digestsOf = (seen: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(seen).filter((each): each is [string, string] => each[1] !== null));

/** What came of a batch, in one sentence. A first signature of several decides nothing yet. */
export function batchWords(results: BatchResult[], done: string): string {
  const wrong = results.filter(({ error }) => error).length;
  const signed = results.filter(({ status, error }) => !error && status === "pending").length;
  const good = results.length - wrong - signed;
  const parts = [
    good > 0 || signed === 0 ? `${good} ${done}` : "",
    signed > 0 ? `${signed} signed, waiting for others` : "",
    wrong > 0 ? `${wrong} left out` : "",
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}

const NAMED = 5;

/** What was left out and why, the first of them by name. */
export function leftOutWords(left: { title: string; error: string }[], total: number): string {
  const named = left.slice(0, NAMED).map(({ title, error }) => `${title}: ${error}`);
  const more = total - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

export const leftOut = (results: BatchResult[]): (BatchResult & { error: string })[] =>
  results.filter((result): result is BatchResult & { error: string } => Boolean(result.error));

export const MOST_NAMED = NAMED;
