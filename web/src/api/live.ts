import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query";
import type { SignoffEvent } from "./events";
import type { Message, Page, Run } from "./types";
import { wipe, write } from "./writing";

const TOGETHER_MS = 120;

/** Keeps the query cache in step with the event stream: patches what an event carries, refetches the rest. */
export class Live {
  private readonly stale = new Map<string, QueryKey>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly queries: QueryClient) {}

  /** What was read before the stream (re)opened may have missed something. */
  caughtUp(openedAt: number): void {
    this.queries.invalidateQueries({
      predicate: ({ state }) => state.dataUpdatedAt > 0 && state.dataUpdatedAt < openedAt,
    });
  }

  apply(event: SignoffEvent): void {
    const { type, run_id: runId, data } = event;
    if (type.startsWith("ask.")) this.askChanged(idOf(data.ask), runId);
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

  private askChanged(askId: string | undefined, runId: string | null): void {
    this.refetch(["get", "/api/asks"], ["get", "/api/asks/count"]);
    if (askId) this.refetch(["get", "/api/asks/{ask_id}", { params: { path: { ask_id: askId } } }]);
    if (runId) this.refetch(forRun("/api/runs/{run_id}/asks", runId), forRun("/api/runs/{run_id}/calls", runId));
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
      for (const queryKey of due) this.queries.invalidateQueries({ queryKey });
    }, TOGETHER_MS);
  }
}

function idOf(thing: unknown): string | undefined {
  return thing && typeof thing === "object" && "id" in thing ? String(thing.id) : undefined;
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
