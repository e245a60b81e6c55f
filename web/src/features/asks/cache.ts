import type { InfiniteData } from "@tanstack/react-query";
import { queries } from "@/api/client";
import { withoutAsk } from "@/api/lists";
import type { Ask, Page } from "@/api/types";

export const askKey = (askId: string) => ["get", "/api/asks/{ask_id}", { params: { path: { ask_id: askId } } }];

/** Take a settled ask out of the lists at once; the event stream brings the truth a moment later. */
export function forgetAsk(ask: Pick<Ask, "id" | "run_id">): void {
  queries.setQueriesData<InfiniteData<Page<Ask>>>({ queryKey: ["get", "/api/asks"] }, (list) =>
    withoutAsk(list, ask.id),
  );
  queries.invalidateQueries({ queryKey: ["get", "/api/asks/count"] });
  if (ask.run_id) queries.invalidateQueries({ queryKey: ["get", "/api/runs/{run_id}/asks"] });
}

/** Which ask to show after one is gone: the one below it, else the one above. */
export function nextAfter(askIds: string[], gone: string): string | undefined {
  const at = askIds.indexOf(gone);
  return at < 0 ? askIds[0] : (askIds[at + 1] ?? askIds[at - 1]);
}
