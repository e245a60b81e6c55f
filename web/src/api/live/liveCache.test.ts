import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Message, Run } from "../types";
import type { SignoffEvent } from "./eventStream";
import { LiveCache, withMessage } from "./liveCache";
import { textBeingWritten } from "./textBeingWritten";

const message = (id: string, text = id) => ({ id, role: "assistant", text, calls: [], created_at: "" }) as Message;
const list = (...ids: string[]) => ({
  pages: [{ items: ids.map((id) => message(id)), next_cursor: null, total: ids.length }],
  pageParams: [null],
});
const event = (type: SignoffEvent["type"], data: Record<string, unknown>, id: number | null = 1) =>
  ({ id, type, run_id: "r1", at: "", data }) as SignoffEvent;

const asks = (...ids: string[]) => ({
  pages: [{ items: ids.map((id) => ({ id, status: "pending" })), next_cursor: null, total: ids.length }],
  pageParams: [null],
});

describe("messages in the cache", () => {
  it("go to the end", () => {
    expect(withMessage(list("m1"), message("m2"))?.pages[0]?.items.map(({ id }) => id)).toEqual(["m1", "m2"]);
  });
  it("replace an older copy", () => {
    const items = withMessage(list("m1", "m2"), message("m1", "new"))?.pages[0]?.items;
    expect(items?.map(({ text }) => text)).toEqual(["new", "m2"]);
  });
  it("wait for pages that are not loaded yet", () => {
    const partial = { pages: [{ items: [message("m1")], next_cursor: "more", total: 9 }], pageParams: [null] };
    expect(withMessage(partial, message("m9"))).toBe(partial);
  });
});

describe("an event", () => {
  let queries: QueryClient;
  let live: LiveCache;
  const readRun = vi.fn(async (id: string) => ({ id, status: "completed", cost_credits: 7 }) as Run);
  beforeEach(() => {
    vi.useFakeTimers();
    queries = new QueryClient();
    readRun.mockClear();
    live = new LiveCache(queries, readRun);
  });
  afterEach(() => vi.useRealTimers());

  it("shows text as it is written, and starts afresh with a new try", () => {
    live.apply(event("run.delta", { text: "Hel", turn: 1, attempt: 1 }, null));
    live.apply(event("run.delta", { text: "lo", turn: 1, attempt: 1 }, null));
    expect(textBeingWritten("r1")).toBe("Hello");
    live.apply(event("run.delta", { text: "Again", turn: 1, attempt: 2 }, null));
    expect(textBeingWritten("r1")).toBe("Again");
    live.apply(event("run.message", { message: message("m1") }));
    expect(textBeingWritten("r1")).toBe("");
  });

  it("refetches each list once for many events", () => {
    queries.setQueryData(["get", "/api/asks", {}], asks("a0"));
    const invalidate = vi.spyOn(queries, "invalidateQueries");
    for (let id = 1; id <= 5; id++) live.apply(event("ask.created", { ask: { id: "a1" } }, id));
    vi.runAllTimers();
    const asked = invalidate.mock.calls.filter(([filters]) => filters?.queryKey?.[1] === "/api/asks");
    expect(asked).toHaveLength(1);
  });

  it("looks once for what would pass now, however many asks were settled", () => {
    const invalidate = vi.spyOn(queries, "invalidateQueries");
    for (let id = 1; id <= 5; id++) live.apply(event("ask.settled", { ask: { id: `a${id}` } }, id));
    live.apply(event("rules.changed", { version: 2 }));
    vi.runAllTimers();
    const asked = invalidate.mock.calls.filter(([filters]) => filters?.queryKey?.[1] === "/api/rules/open-asks");
    expect(asked).toHaveLength(1);
  });

  it("takes a settled ask out of the lists at once", () => {
    queries.setQueryData(["get", "/api/asks", {}], asks("a1", "a2"));
    live.apply(event("ask.settled", { ask: { id: "a1" } }));
    expect(queries.getQueryData(["get", "/api/asks", {}])).toMatchObject({
      pages: [{ items: [{ id: "a2" }], total: 1 }],
    });
  });

  it("reads the ask on screen again when another comes or goes, since that may be alike", () => {
    const shown = ["get", "/api/asks/{ask_id}", { params: { path: { ask_id: "a2" } } }];
    for (const type of ["ask.created", "ask.settled"] as const) {
      queries.setQueryData(shown, { id: "a2" });
      live.apply(event(type, { ask: { id: "a1" } }));
      vi.runAllTimers();
      expect(queries.getQueryState(shown)?.isInvalidated).toBe(true);
    }
  });

  it("does not read a long list again because of one new row", () => {
    const [page] = asks("a0").pages;
    queries.setQueryData(["get", "/api/asks", {}], { pages: [page, page, page], pageParams: [null, "1", "2"] });
    const invalidate = vi.spyOn(queries, "invalidateQueries");
    live.apply(event("ask.created", { ask: { id: "a1" } }));
    vi.runAllTimers();
    expect(invalidate.mock.calls.filter(([filters]) => filters?.queryKey?.[1] === "/api/asks")).toEqual([]);
  });

  it("reads a long list of groups once for many that are settled, and not for a new one", () => {
    const groups = (pages: number) => ({ pages: Array(pages).fill({ items: [], total: 0 }), pageParams: [] });
    const invalidate = vi.spyOn(queries, "invalidateQueries");
    const reads = () => invalidate.mock.calls.filter(([filters]) => filters?.queryKey?.[1] === "/api/asks/groups");
    queries.setQueryData(["get", "/api/asks/groups", {}], groups(3));
    live.apply(event("ask.created", { ask: { id: "a1" } }));
    vi.advanceTimersByTime(60_000);
    expect(reads()).toHaveLength(0);
    for (let id = 1; id <= 30; id++) {
      live.apply(event("ask.settled", { ask: { id: `a${id}` } }, id));
      vi.advanceTimersByTime(150);
    }
    vi.advanceTimersByTime(10_000);
    expect(reads()).toHaveLength(1);
    queries.setQueryData(["get", "/api/asks/groups", {}], groups(2));
    live.apply(event("ask.created", { ask: { id: "a2" } }));
    vi.advanceTimersByTime(200);
    expect(reads()).toHaveLength(2);
  });

  it("reads again what was asked for before the stream opened, and nothing else", async () => {
    vi.setSystemTime(1000);
    await queries.fetchQuery({ queryKey: ["get", "/api/runs"], queryFn: () => 1 });
    vi.setSystemTime(3000);
    await queries.fetchQuery({ queryKey: ["get", "/api/agents"], queryFn: () => 2 });
    live.caughtUp(2000);
    expect(queries.getQueryState(["get", "/api/runs"])?.isInvalidated).toBe(true);
    expect(queries.getQueryState(["get", "/api/agents"])?.isInvalidated).toBe(false);
  });

  it("reads who is signed in again when the stream comes back, not when it first opens", async () => {
    vi.setSystemTime(1000);
    await queries.fetchQuery({ queryKey: ["get", "/api/me", {}], queryFn: () => ({ role: "admin" }) });
    live.caughtUp(2000);
    expect(queries.getQueryState(["get", "/api/me", {}])?.isInvalidated).toBe(false);
    live.caughtUp(3000);
    expect(queries.getQueryState(["get", "/api/me", {}])?.isInvalidated).toBe(true);
  });

  it("changes a run in a long list without reading the list again", () => {
    const [page] = asks("r1").pages;
    queries.setQueryData(["get", "/api/runs", {}], { pages: [page, page, page], pageParams: [null, "1", "2"] });
    live.apply(event("run.status", { status: "completed" }));
    vi.runAllTimers();
    expect(queries.getQueryState(["get", "/api/runs", {}])?.isInvalidated).toBe(false);
    expect(queries.getQueryData(["get", "/api/runs", {}])).toMatchObject({
      pages: [{ items: [{ status: "completed" }] }, {}, {}],
    });
  });

  it("reads each row that changed in a long list, a few at a time", async () => {
    const [page] = asks("r1", "r2", "r3", "r4", "r5", "r6").pages;
    queries.setQueryData(["get", "/api/runs", {}], { pages: [page, page, page], pageParams: [null, "1", "2"] });
    for (const run_id of ["r1", "r1", "r2", "r3", "r4", "r5", "r6", "elsewhere"])
      live.apply({ ...event("run.ended", {}), run_id });
    await vi.advanceTimersByTimeAsync(130);
    expect(readRun).toHaveBeenCalledTimes(5);
    await vi.advanceTimersByTimeAsync(130);
    expect(readRun.mock.calls.map(([id]) => id)).toEqual(["r1", "r2", "r3", "r4", "r5", "r6"]);
    expect(queries.getQueryData(["get", "/api/runs", {}])).toMatchObject({
      pages: [{ items: page?.items.map(() => ({ cost_credits: 7 })) }, {}, {}],
    });
  });

  it("does not make a list look freshly read by changing a row of it", () => {
    vi.setSystemTime(1000);
    queries.setQueryData(["get", "/api/runs", {}], asks("r1"));
    vi.setSystemTime(60_000);
    live.apply(event("run.progress", { progress: {} }));
    expect(queries.getQueryState(["get", "/api/runs", {}])?.dataUpdatedAt).toBe(1000);
  });

  it("lets a list that is being read finish, and reads it once more", async () => {
    const answers: ((runs: unknown) => void)[] = [];
    const queryFn = vi.fn(() => new Promise((resolve) => answers.push(resolve)));
    queries.setQueryData(["get", "/api/runs", {}], asks("r1"));
    const stop = new QueryObserver(queries, { queryKey: ["get", "/api/runs", {}], queryFn }).subscribe(() => {});
    for (let progress = 0; progress < 5; progress++) {
      live.apply(event("run.progress", { progress: {} }));
      await vi.advanceTimersByTimeAsync(200);
    }
    expect(queryFn).toHaveBeenCalledTimes(1);
    answers[0]?.(asks());
    await vi.advanceTimersByTimeAsync(10);
    expect(queryFn).toHaveBeenCalledTimes(2);
    stop();
  });

  it("keeps the deliverables fresh", () => {
    queries.setQueryData(["get", "/api/deliverables", {}], asks("d1"));
    live.apply(event("deliverable.created", {}));
    vi.runAllTimers();
    expect(queries.getQueryState(["get", "/api/deliverables", {}])?.isInvalidated).toBe(true);
  });

  it("reads once more what was still being read when something happened", async () => {
    const answers = [0, 1];
    let answer = (_: number) => {};
    const queryFn = vi.fn(
      () =>
        new Promise<number>((resolve) => {
          answer = resolve;
        }),
    );
    const seen = new QueryObserver(queries, { queryKey: ["get", "/api/asks/count", {}], queryFn });
    const stop = seen.subscribe(() => {});
    live.apply(event("ask.created", { ask: { id: "a1" } }));
    await vi.advanceTimersByTimeAsync(200);
    answer(answers[0] as number);
    await vi.advanceTimersByTimeAsync(10);
    expect(queryFn).toHaveBeenCalledTimes(2);
    answer(answers[1] as number);
    await vi.advanceTimersByTimeAsync(10);
    expect(seen.getCurrentResult().data).toBe(1);
    stop();
  });

  it("changes the run on screen at once", () => {
    const key = ["get", "/api/runs/{run_id}", { params: { path: { run_id: "r1" } } }];
    queries.setQueryData(key, { id: "r1", status: "running" });
    live.apply(event("run.status", { status: "waiting_approval" }));
    expect(queries.getQueryData(key)).toMatchObject({ status: "waiting_approval" });
  });
});
