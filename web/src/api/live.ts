import type { InfiniteData, Query, QueryClient, QueryFilters, QueryKey } from "@tanstack/react-query";
import type { AskBrief, SignoffEvent } from "./events";
import { arrived, withoutAsk } from "./lists";
import type { Ask, Message, Page, Run } from "./types";
import { viewed } from "./viewers";
import { wipe, write } from "./writing";

const TOGETHER_MS = 120;
// A longer list is not read again because of one new row: whoever scrolled that far is told instead.
const REREAD_PAGES = 2;

const ME = "/api/me";

/** Keeps the query cache in step with the event stream: patches what an event carries, refetches the rest. */
export class Live {
  private readonly stale = new Map<string, QueryKey>();
  private readonly startedAt = new Map<string, number>();
  private readonly again = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly queries: QueryClient) {
    queries.getQueryCache().subscribe((event) => {
      if (event.type === "updated" && event.action.type === "fetch")
        this.startedAt.set(event.query.queryHash, Date.now());
      if (event.type === "updated" && event.action.type === "success") this.finished(event.query);
      if (event.type === "removed") this.startedAt.delete(event.query.queryHash);
    });
  }

  /** Read again; what is being read for the first time may be too old when it comes, so that is read once more. */
  private reread(filters: QueryFilters): void {
    for (const { queryHash, state } of this.queries.getQueryCache().findAll(filters))
      if (state.fetchStatus === "fetching" && state.data === undefined) this.again.add(queryHash);
    this.queries.invalidateQueries(filters);
  }

  private finished({ queryHash, queryKey }: Query): void {
    if (this.again.delete(queryHash)) setTimeout(() => this.queries.invalidateQueries({ queryKey, exact: true }));
  }

  /** What was asked for before the stream (re)opened may have missed something. */
  caughtUp(since: number): void {
    this.reread({
      predicate: ({ queryHash, queryKey }) => (this.startedAt.get(queryHash) ?? since) < since && queryKey[1] !== ME,
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
        this.refetch(["get", "/api/runs"]);
        break;
      case "run.status":
        this.patchRun(runId, { status: data.status } as Partial<Run>);
        this.refetch(["get", "/api/runs"], forRun("/api/runs/{run_id}", runId));
        break;
      case "run.created":
        this.refetch(["get", "/api/runs"]);
        break;
      case "run.ended":
        wipe(runId);
        this.refetch(["get", "/api/runs"], forRun("/api/runs/{run_id}", runId));
        break;
      case "call.started":
      case "call.finished":
        this.refetch(forRun("/api/runs/{run_id}/calls", runId));
        break;
      case "deliverable.created":
        this.refetch(forRun("/api/runs/{run_id}/deliverables", runId));
        break;
    }
  }

  private askChanged(type: string, ask: AskBrief, runId: string | null): void {
    this.refetch(["get", "/api/asks/count"], ["get", "/api/asks/{ask_id}", { params: { path: { ask_id: ask.id } } }]);
    if (type === "ask.settled") this.askGone(ask.id);
    else this.rereadAsks(type === "ask.created");
    if (runId) this.refetch(forRun("/api/runs/{run_id}/asks", runId), forRun("/api/runs/{run_id}/calls", runId));
  }

  private askGone(askId: string): void {
    this.queries.setQueriesData<InfiniteData<Page<Ask>>>({ queryKey: ["get", "/api/asks"] }, (list) =>
      withoutAsk(list, askId),
    );
  }

  private rereadAsks(isNew: boolean): void {
    for (const { queryKey, state } of this.queries.getQueryCache().findAll({ queryKey: ["get", "/api/asks"] })) {
      const pages = (state.data as InfiniteData<unknown> | undefined)?.pages?.length ?? 0;
      if (pages <= REREAD_PAGES) this.refetch(queryKey);
      else if (isNew) arrived();
    }
  }

  private patchRun(runId: string, change: Partial<Run>): void {
    this.queries.setQueriesData<Run>({ queryKey: forRun("/api/runs/{run_id}", runId) }, (run) =>
      run ? { ...run, ...change } : run,
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

/** The beginning of the key that openapi-react-query gives to a query about one run. */
function forRun(path: string, runId: string): QueryKey {
  return ["get", path, { params: { path: { run_id: runId } } }];
}

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
