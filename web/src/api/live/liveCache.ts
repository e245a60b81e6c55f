import type { InfiniteData, Query, QueryClient, QueryFilters, QueryKey } from "@tanstack/react-query";
import { keyOf } from "../queryKeys";
import type { components, paths } from "../schema";
import type { Ask, Message, Page, Run } from "../types";
import { arrived, newRuns, withoutAsk, withRun } from "./cachedLists";
import type { AskBrief, SignoffEvent } from "./eventStream";
import { wipe, write } from "./textBeingWritten";
import { viewed } from "./viewers";

const TOGETHER_MS = 120;
// How soon a long list that lost or changed a row is right again.
const LONG_LIST_MS = 5_000;
// A longer list is not read again because of one new row: whoever scrolled that far is told instead.
const REREAD_PAGES = 2;
// Of the runs that changed together: a hundred that are cancelled at once must not become a hundred requests at once.
const ROWS_TOGETHER = 5;

/** Keeps the query cache in step with the event stream: patches what an event carries, refetches the rest. */
export class LiveCache {
  private readonly stale = new Map<string, QueryKey>();
  private readonly staleRows = new Set<string>();
  private readonly startedAt = new Map<string, number>();
  private readonly again = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private longListTimer: ReturnType<typeof setTimeout> | undefined;
  private opened = false;

  constructor(
    private readonly queries: QueryClient,
    private readonly readRun: (runId: string) => Promise<Run>,
  ) {
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
    const { run_id: runId } = event;
    switch (event.type) {
      case "ask.viewing":
        viewed(event.data.ask_id, event.data.by);
        break;
      case "ask.created":
      case "ask.updated":
      case "ask.settled":
        this.askChanged(event.type, event.data.ask, runId);
        // What wanted an answer is new to nobody once it has one.
        if (event.type === "ask.settled") {
          this.refetch(keyOf("/api/notifications/count"));
          this.rereadLists("/api/notifications");
        }
        break;
      case "rules.changed":
        this.refetch(keyOf("/api/rules/open-asks"));
        break;
      case "pause_all.changed":
        this.refetch(keyOf("/api/pause-all"));
        break;
      case "notification.created":
        // Whether it is for this person, the server knows.
        this.refetch(keyOf("/api/notifications/count"), keyOf("/api/delegations"));
        this.rereadLists("/api/notifications");
        break;
    }
    if (runId) this.runEvent(event, runId);
  }

  private runEvent(event: SignoffEvent, runId: string): void {
    switch (event.type) {
      case "run.delta":
        write(runId, event.data);
        break;
      case "run.message":
        this.messageSaid(runId, event.data.message);
        break;
      case "run.progress":
        this.patchRun(runId, { progress: event.data.progress });
        this.rereadLists("/api/runs");
        break;
      case "run.status":
        this.patchRun(runId, { status: event.data.status });
        this.runChanged(runId);
        this.refetch(forRun("/api/runs/{run_id}", runId));
        break;
      case "run.step":
        this.refetch(forRun("/api/runs/{run_id}/steps", runId), forRun("/api/runs/{run_id}", runId));
        // What a step hands over stands at the whole, too.
        this.refetch(forRun("/api/runs/{run_id}/deliverables", runId));
        this.refetch(forRun("/api/runs/{run_id}/connections", runId));
        break;
      case "run.created":
        if (this.rereadLists("/api/runs")) newRuns.add();
        break;
      case "run.ended":
        wipe(runId);
        this.runChanged(runId);
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

  private askChanged(type: `ask.${string}`, ask: AskBrief, runId: string | null): void {
    // Each ask says how many are alike, so one that comes or goes changes what is on screen of the others.
    const changed = type === "ask.updated" ? { ask_id: ask.id } : undefined;
    this.refetch(keyOf("/api/asks/count"), keyOf("/api/asks/{ask_id}", changed));
    this.refetch(keyOf("/api/asks/{ask_id}/comments", { ask_id: ask.id }));
    const groupsSpared = this.rereadLists("/api/asks/groups");
    if (groupsSpared && type !== "ask.created") this.rereadGroupsLater();
    if (type === "ask.settled") {
      this.refetch(keyOf("/api/rules/open-asks"));
      this.askGone(ask.id);
    } else if ((this.rereadLists("/api/asks") || groupsSpared) && type === "ask.created") arrived();
    if (runId) this.refetch(forRun("/api/runs/{run_id}/asks", runId), forRun("/api/runs/{run_id}/calls", runId));
    // A workflow on screen says which of its steps wait, and those are runs of their own.
    this.refetch(keyOf("/api/runs/{run_id}/steps"));
  }

  /** Only the server knows how many a group has left; a hundred that are decided in a row are not a hundred reads. */
  private rereadGroupsLater(): void {
    this.longListTimer ??= setTimeout(() => {
      this.longListTimer = undefined;
      this.reread({ queryKey: keyOf("/api/asks/groups") });
    }, LONG_LIST_MS);
  }

  private askGone(askId: string): void {
    this.patch<InfiniteData<Page<Ask>>>(keyOf("/api/asks"), (list) => withoutAsk(list, askId));
    for (const { queryKey } of this.queries.getQueryCache().findAll({ queryKey: keyOf("/api/asks") }))
      if (isOfDecided(queryKey)) this.refetch(queryKey);
  }

  private runChanged(runId: string): void {
    if (!this.rereadLists("/api/runs")) return;
    this.staleRows.add(runId);
    this.soon();
  }

  /** Whether a list was too long to be read again. */
  private rereadLists(path: ListPath): boolean {
    let spared = false;
    for (const { queryKey, state } of this.queries.getQueryCache().findAll({ queryKey: keyOf(path) })) {
      const pages = (state.data as InfiniteData<unknown> | undefined)?.pages?.length ?? 0;
      if (pages <= REREAD_PAGES) this.refetch(queryKey);
      else spared = true;
    }
    return spared;
  }

  private patchRun(runId: string, change: Partial<Run>): void {
    this.patch<Run>(forRun("/api/runs/{run_id}", runId), (run) => (run ? { ...run, ...change } : run));
    this.patch<InfiniteData<Page<Run>>>(keyOf("/api/runs"), (list) => withRun(list, runId, change));
  }

  /** A patched answer is as old as before, and what was out of date still is: the rest of it was not read. */
  private patch<Data>(queryKey: QueryKey, change: (data: Data | undefined) => Data | undefined): void {
    for (const { queryKey: key, state } of this.queries.getQueryCache().findAll({ queryKey }))
      this.queries.setQueryData<Data>(key, change, { updatedAt: state.isInvalidated ? 0 : state.dataUpdatedAt });
  }

  /** Show it at once. What a model said comes shortened and without its calls, so that is read in full as well. */
  private messageSaid(runId: string, message: SaidMessage): void {
    const messages = forRun("/api/runs/{run_id}/messages", runId);
    this.patch<InfiniteData<Page<Message>>>(messages, (list) => withMessage(list, { ...message, calls: [] }));
    if (message.role !== "assistant") return;
    wipe(runId);
    this.refetch(messages, forRun("/api/runs/{run_id}", runId), forRun("/api/runs/{run_id}/calls", runId));
  }

  /** Several events of one commit lead to one refetch. */
  private refetch(...keys: QueryKey[]): void {
    for (const key of keys) this.stale.set(JSON.stringify(key), key);
    this.soon();
  }

  private soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const due = [...this.stale.values()];
      this.stale.clear();
      for (const queryKey of due) this.reread({ queryKey });
      this.readRows();
    }, TOGETHER_MS);
  }

  /** Read the runs that changed in a list that is too long to be read again. */
  private readRows(): void {
    for (const runId of [...this.staleRows].slice(0, ROWS_TOGETHER)) {
      this.staleRows.delete(runId);
      if (this.isListed(runId))
        this.readRun(runId).then(
          (run) => this.patchRun(runId, run),
          // It stays as the event left it; coming back to the list reads it again.
          () => {},
        );
    }
    if (this.staleRows.size > 0) this.soon();
  }

  private isListed(runId: string): boolean {
    const lists = this.queries.getQueriesData<InfiniteData<Page<Run>>>({ queryKey: keyOf("/api/runs") });
    return lists.some(([, list]) => withRun(list, runId, {}) !== undefined);
  }
}

type AsksQuery = { params?: { query?: { view?: string } } };
/** Whether a list is of what is decided, where what is settled comes in. */
const isOfDecided = ([, , given]: QueryKey): boolean =>
  (given as AsksQuery | undefined)?.params?.query?.view === "decided";

type ListPath = `/api/${"asks" | "asks/groups" | "runs" | "deliverables" | "notifications"}`;
type SaidMessage = components["schemas"]["SaidMessage"];
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
