import { http, queries } from "@/api/client";
import { forgetAsk } from "@/api/live/askCache";
import { wordsOf } from "@/api/problems";
import { keyOf } from "@/api/queryKeys";
import type { Answer, Ask } from "@/api/types";

export interface BatchResult {
  id: string;
  status: string | null;
  error?: string | null;
}

type Seen = Pick<Ask, "id" | "digest">;

export const MOST = 200;

/** Decide many asks as they were seen with one answer; each has its own result, also when a request fails. */
export async function answerMany(asks: Seen[], answer: Pick<Answer, "decision" | "note">): Promise<BatchResult[]> {
  const results: BatchResult[] = [];
  for (let start = 0; start < asks.length; start += MOST)
    results.push(...(await answerSome(asks.slice(start, start + MOST), answer)));
  for (const { id, status, error } of results) if (!error && status !== "pending") forgetAsk({ id, run_id: null });
  queries.invalidateQueries({ queryKey: keyOf("/api/asks") });
  return results;
}

async function answerSome(asks: Seen[], answer: Pick<Answer, "decision" | "note">): Promise<BatchResult[]> {
  const seen = Object.fromEntries(asks.map(({ id, digest }) => [id, digest]));
  try {
    const body = { ids: Object.keys(seen), digests: digestsOf(seen), ...answer };
    const { data } = await http.POST("/api/asks/batch", { body });
    return data?.results ?? [];
  } catch (error) {
    return asks.map(({ id }) => ({ id, status: null, error: wordsOf(error) }));
  }
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
    wrong > 0 ? `${wrong} could not be` : "",
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}
