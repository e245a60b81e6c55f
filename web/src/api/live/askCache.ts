import type { InfiniteData } from "@tanstack/react-query";
import { http, queries } from "../client";
import { keyOf } from "../queryKeys";
import type { Ask, Page } from "../types";
import { withoutAsk } from "./cachedLists";

export const askKey = (askId: string) => keyOf("/api/asks/{ask_id}", { ask_id: askId });

/** One ask as the server has it now. */
export async function readAsk(askId: string): Promise<Ask> {
  return (await http.GET("/api/asks/{ask_id}", { params: { path: { ask_id: askId } } })).data as Ask;
}

/** Take settled asks out of the lists at once; the event stream brings the truth a moment later. */
export function forgetAsks(...asks: Pick<Ask, "id" | "run_id">[]): void {
  queries.setQueriesData<InfiniteData<Page<Ask>>>({ queryKey: keyOf("/api/asks") }, (list) => {
    const left = asks.reduce((rest, { id }) => withoutAsk(rest, id) ?? rest, list);
    // Nothing leaves a list alone, and as old as it is.
    return left === list ? undefined : left;
  });
  for (const path of ["/api/asks/count", "/api/asks/groups"] as const)
    queries.invalidateQueries({ queryKey: keyOf(path) });
  if (asks.some(({ run_id }) => run_id)) queries.invalidateQueries({ queryKey: keyOf("/api/runs/{run_id}/asks") });
}
