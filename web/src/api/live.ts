import type { InfiniteData, Query, QueryClient, QueryFilters, QueryKey } from "@tanstack/react-query";
import type { AskBrief, SignoffEvent } from "./events";
import { keyOf } from "./keys";
import { arrived, withoutAsk, withRun } from "./lists";
import type { paths } from "./schema";
import type { Ask, Message, Page, Run } from "./types";
import { viewed } from "./viewers";
import { wipe, write } from "./writing";

const TOGETHER_MS = 120;
// A longer list is not read again because of one new row: whoever scrolled that far is told instead.
const REREAD_PAGES = 2;

/** Keeps the query cache in step with the event stream: patches what an event carries, refetches the rest. */
export class Live {
  private readonly stale = new Map<string, QueryKey>();
  private readonly startedAt = new Map<string, number>();
  private readonly again = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private opened = false;

  constructor(private readonly queries: QueryClient) {
    queries.getQueryCache().subscribe((event) => {
      if (event.type === "updated" && event.action.type === "fetch")
        this.startedAt.set(event.query.queryHash, Date.now());
      if (event.type === "updated" && event.action.type === "success" && !event.action.manual)
        this.finished(event.query);
      if (event.type === "removed") this.startedAt.delete(event.query.queryHash);
    });
  }

  /** Read again. What is being read may be too old when it comes, so that is let finish and read once more. */
  private reread(filters: QueryFilters): void {
    for (const { queryHash, state } of this.queries.getQueryCache().findAll(filters))
      if (state.fetchStatus === "fetching") this.again.add(queryHash);
    this.queries.invalidateQueries(filters, { cancelRefetch: false });
  }

  private finished({ queryHash, queryKey }: Query): void {
    if (this.again.delete(queryHash)) setTimeout(() => this.queries.invalidateQueries({ queryKey, exact: true }));
  }

  /** What was asked for before the stream (re)opened may have missed something. */
  caughtUp(since: number): void {
    // No event tells that somebody's role changed, so that is read after each pause, but not twice at the beginning.
    const spared = this.opened ? undefined : "/api/me";
    this.opened = true;
    this.reread({
      predicate: ({ queryHash, queryKey }) =>
        (this.startedAt.get(queryHash) ?? since) < since && queryKey[1] !== spared,
    });
  }

  apply(event: SignoffEvent): void {
    const { type, run_id: runId, data } = event;
    if (type === "ask.viewing") viewed(String(data.ask_id), String(data.by));
    else if (type.startsWith("ask.")) this.askChanged(type, data.ask as AskBrief, runId);
    if (!runId) return;
    switch (type) {
      case "run.delta":
        write(runId, { turn: Number(data.turn), attempt: Number(data.attempt), text: String(data.text) });
        break;
      case "run.message":
        this.messageSaid(runId, data.message as Message);
        break;
      case "run.progress":
        this.patchRun(runId, { progress: data.progress as Run["progress"] });
        this.rereadLists("/api/runs");
        break;
      case "run.status":
        this.patchRun(runId, { status: data.status } as Partial<Run>);
        this.rereadLists("/api/runs");
        this.refetch(forRun("/api/runs/{run_id}", runId));
        break;
      case "run.created":
        this.rereadLists("/api/runs");
        break;
      case "run.ended":
        wipe(runId);
        this.rereadLists("/api/runs");
        this.refetch(forRun("/api/runs/{run_id}", runId));
        break;
      case "call.started":
      case "call.finished":
        this.refetch(forRun("/api/runs/{run_id}/calls", runId));
        break;
      case "deliverable.created":
        this.rereadLists("/api/deliverables");
        this.refetch(forRun("/api/runs/{run_id}/deliverables", runId));
        break;
    }
  }

  private askChanged(type: string, ask: AskBrief, runId: string | null): void {
    this.refetch(keyOf("/api/asks/count"), keyOf("/api/asks/{ask_id}", { ask_id: ask.id }));
    if (type === "ask.settled") this.askGone(ask.id);
    else if (this.rereadLists("/api/asks") && type === "ask.created") arrived();
    if (runId) this.refetch(forRun("/api/runs/{run_id}/asks", runId), forRun("/api/runs/{run_id}/calls", runId));
  }

  private askGone(askId: string): void {
    this.queries.setQueriesData<InfiniteData<Page<Ask>>>({ queryKey: keyOf("/api/asks") }, (list) =>
      withoutAsk(list, askId),
    );
  }

  /** Whether a list was too long to be read again. */
  private rereadLists(path: "/api/asks" | "/api/runs" | "/api/deliverables"): boolean {
    let spared = false;
    for (const { queryKey, state } of this.queries.getQueryCache().findAll({ queryKey: keyOf(path) })) {
      const pages = (state.data as InfiniteData<unknown> | undefined)?.pages?.length ?? 0;
      if (pages <= REREAD_PAGES) this.refetch(queryKey);
      else spared = true;
    }
    return spared;
  }

  private patchRun(runId: string, change: Partial<Run>): void {
    this.queries.setQueriesData<Run>({ queryKey: forRun("/api/runs/{run_id}", runId) }, (run) =>
      run ? { ...run, ...change } : run,
    );
    this.queries.setQueriesData<InfiniteData<Page<Run>>>({ queryKey: keyOf("/api/runs") }, (list) =>
      withRun(list, runId, change),
    );
  }

  /** Show it at once. What a model said comes shortened and without its calls, so that is read in full as well. */
  private messageSaid(runId: string, message: Message): void {
    const messages = forRun("/api/runs/{run_id}/messages", runId);
    this.queries.setQueriesData<InfiniteData<Page<Message>>>({ queryKey: messages }, (list) =>
      withMessage(list, { ...message, calls: message.calls ?? [] }),
    );
    if (message.role !== "assistant") return;
    wipe(runId);
    this.refetch(messages, forRun("/api/runs/{run_id}", runId), forRun("/api/runs/{run_id}/calls", runId));
  }

  /** Several events of one commit lead to one refetch. */
  private refetch(...keys: QueryKey[]): void {
    for (const key of keys) this.stale.set(JSON.stringify(key), key);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const due = [...this.stale.values()];
      this.stale.clear();
      for (const queryKey of due) this.reread({ queryKey });
    }, TOGETHER_MS);
  }
}

type RunPath = Extract<keyof paths, `/api/runs/{run_id}${string}`>;
const forRun = (path: RunPath, runId: string): QueryKey => keyOf(path, { run_id: runId });

/** Put a message at the end of the last page, or in the place of an older copy. */
export function withMessage(
  list: InfiniteData<Page<Message>> | undefined,
  message: Message,
): InfiniteData<Page<Message>> | undefined {
  const last = list?.pages.at(-1);
  if (!list || !last || last.next_cursor) return list;
  const known = list.pages.some((page) => page.items.some((item) => item.id === message.id));
  const pages = known
    ? list.pages.map((page) => ({
        ...page,
        items: page.items.map((item) => (item.id === message.id ? message : item)),
      }))
    : [...list.pages.slice(0, -1), { ...last, items: [...last.items, message], total: last.total + 1 }];
  return { ...list, pages };
}
