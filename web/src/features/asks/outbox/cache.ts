import type { InfiniteData } from "@tanstack/react-query";
import { http, queries } from "@/api/client";
import { keyOf } from "@/api/keys";
import { withoutAsk } from "@/api/live/lists";
import type { Ask, Page } from "@/api/types";

export const askKey = (askId: string) => keyOf("/api/asks/{ask_id}", { ask_id: askId });

/** One ask as the server has it now. */
export async function readAsk(askId: string): Promise<Ask> {
  return (await http.GET("/api/asks/{ask_id}", { params: { path: { ask_id: askId } } })).data as Ask;
}

/** Take a settled ask out of the lists at once; the event stream brings the truth a moment later. */
export function forgetAsk(ask: Pick<Ask, "id" | "run_id">): void {
  queries.setQueriesData<InfiniteData<Page<Ask>>>({ queryKey: keyOf("/api/asks") }, (list) => withoutAsk(list, ask.id));
  queries.invalidateQueries({ queryKey: keyOf("/api/asks/count") });
  if (ask.run_id) queries.invalidateQueries({ queryKey: keyOf("/api/runs/{run_id}/asks") });
}

/** A list with one ask as it is now; nothing where it was not in it. */
export function withAsk(list: InfiniteData<Page<Ask>> | undefined, ask: Ask): InfiniteData<Page<Ask>> | undefined {
  if (!list?.pages?.some((page) => page.items.some(({ id }) => id === ask.id))) return undefined;
  const put = (item: Ask) => (item.id === ask.id ? ask : item);
  return { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.map(put) })) };
}

/** Which ask to show after one is gone: the one below it, else the one above. */
export function nextAfter(askIds: string[], gone: string): string | undefined {
  const at = askIds.indexOf(gone);
  return at < 0 ? askIds[0] : (askIds[at + 1] ?? askIds[at - 1]);
}
