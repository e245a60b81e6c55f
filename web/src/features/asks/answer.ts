import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { isProblem } from "@/api/problems";
import type { Answer, Ask, Page } from "@/api/types";
import { failed, said } from "@/ui/toast";
import { outcomeWords } from "./words";

const keyOf = (askId: string) => ["get", "/api/asks/{ask_id}", { params: { path: { ask_id: askId } } }];

/** Send one person's answer. `onSettled` is called when the ask is settled by it, or turned out to be settled. */
export function useAnswer(ask: Ask, onSettled?: (ask: Ask) => void) {
  const queries = useQueryClient();
  const mutation = api.useMutation("post", "/api/asks/{ask_id}/answer", {
    onSuccess: (settled) => {
      queries.setQueryData(keyOf(ask.id), settled);
      if (settled.status === "pending") {
        said(signedWords(settled));
        return;
      }
      forget(settled.id);
      said(`${outcomeWords(settled).label}: ${settled.title}`);
      onSettled?.(settled);
    },
    onError: async (error) => {
      if (!isProblem(error, 409)) return failed(error);
      // Somebody was faster: the card then shows who, and how.
      await queries.invalidateQueries({ queryKey: keyOf(ask.id) });
      await queries.invalidateQueries({ queryKey: ["get", "/api/asks"] });
    },
  });

  /** Take it out of the lists at once; the event stream brings the truth a moment later. */
  function forget(askId: string): void {
    queries.setQueriesData<InfiniteData<Page<Ask>>>({ queryKey: ["get", "/api/asks"] }, (list) => without(list, askId));
    queries.invalidateQueries({ queryKey: ["get", "/api/asks/count"] });
    if (ask.run_id) queries.invalidateQueries({ queryKey: ["get", "/api/runs/{run_id}/asks"] });
  }

  return {
    send: (answer: Answer) => mutation.mutate({ params: { path: { ask_id: ask.id } }, body: answer }),
    pending: mutation.isPending,
    /** What was sent last, to show which button is busy. */
    sending: mutation.isPending ? mutation.variables.body.decision : null,
  };
}

export type Answering = ReturnType<typeof useAnswer>;

export function without(list: InfiniteData<Page<Ask>> | undefined, askId: string) {
  if (!list) return list;
  const pages = list.pages.map((page) => {
    const items = page.items.filter((item) => item.id !== askId);
    return items.length === page.items.length ? page : { ...page, items, total: Math.max(0, page.total - 1) };
  });
  return { ...list, pages };
}

function signedWords(ask: Ask): string {
  const given = ask.approvals.filter((approval) => approval.decision === "approve").length;
  const missing = Math.max(0, ask.approvals_required - given);
  return missing > 0 ? `Signed. ${missing} more must sign.` : "Signed.";
}

/** Which ask to show after one is gone: the one below it, else the one above. */
export function nextAfter(askIds: string[], gone: string): string | undefined {
  const at = askIds.indexOf(gone);
  return at < 0 ? askIds[0] : (askIds[at + 1] ?? askIds[at - 1]);
}
