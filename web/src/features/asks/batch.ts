import { http, queries } from "@/api/client";
import type { Answer, Ask } from "@/api/types";
import { failed, told } from "@/ui/toast";
import { forgetAsk } from "./cache";

export interface BatchResult {
  id: string;
  status: string | null;
  error?: string | null;
}

const MOST = 200;

/** Decide many asks with one answer; each has its own result. */
export async function answerMany(ids: string[], answer: Pick<Answer, "decision" | "value" | "note">) {
  const results: BatchResult[] = [];
  for (let start = 0; start < ids.length; start += MOST) {
    const body = { ids: ids.slice(start, start + MOST), ...answer };
    const { data } = await http.POST("/api/asks/batch", { body });
    results.push(...(data?.results ?? []));
  }
  for (const { id, error } of results) if (!error) forgetAsk({ id, run_id: null });
  queries.invalidateQueries({ queryKey: ["get", "/api/asks"] });
  return results;
}

/** Give the answer of one question to all that are alike. */
export async function answerAlike(ask: Ask, value: unknown): Promise<void> {
  try {
    const query = { status: "pending", alike: ask.id, limit: MOST };
    const { data } = await http.GET("/api/asks", { params: { query } });
    const ids = (data?.items ?? []).map(({ id }) => id).filter((id) => id !== ask.id);
    if (ids.length === 0) return;
    const results = await answerMany(ids, { decision: "respond", value });
    const wrong = results.filter(({ error }) => error).length;
    told({
      message: wrong > 0 ? `${ids.length - wrong} alike answered, ${wrong} not.` : `${ids.length} alike answered.`,
    });
  } catch (error) {
    failed(error);
  }
}

/** What came of a batch, in one sentence. */
export function batchWords(results: BatchResult[], done: string): string {
  const wrong = results.filter(({ error }) => error).length;
  const good = results.length - wrong;
  return wrong === 0 ? `${good} ${done}.` : `${good} ${done}, ${wrong} could not be.`;
}
