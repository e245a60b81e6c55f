import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Connection, EventStream } from "./eventStream";
import { SharedStream, type Surroundings } from "./sharedStream";

interface Request {
  work: () => Promise<void> | undefined;
  refuse: (error: Error) => void;
}

/** A lock that one tab has and others wait for. Like a browser's, it is given in a moment, never at once. */
class Lock {
  private waiting: Request[] = [];
  private holder: Request | null = null;

  request(how: LockOptions, work: Request["work"]): Promise<void> {
    return new Promise<void>((resolve, refuse) => {
      const request = { work: () => work()?.then(resolve), refuse };
      how.signal?.addEventListener("abort", () => {
        this.waiting = this.waiting.filter((other) => other !== request);
        if (this.holder !== request) refuse(new Error("aborted"));
      });
      if (how.steal) queueMicrotask(() => this.give(request));
      else if (this.holder) this.waiting.push(request);
      else this.give(request);
    });
  }

  private async give(request: Request): Promise<void> {
    const before = this.holder;
    this.holder = request;
    before?.refuse(new Error("stolen"));
    await request.work();
    if (this.holder !== request) return;
    this.holder = null;
    const next = this.waiting.shift();
    if (next) this.give(next);
  }
}

/** Tabs of one browser: channels that hear each other, and one lock. */
class Tabs {
  private readonly channels = new Set<{ onmessage: ((message: MessageEvent) => void) | null }>();
  private readonly lock = new Lock();
  streams: FakeStream[] = [];

  around(): Surroundings {
    return {
      channel: () => {
        const own = { onmessage: null as ((message: MessageEvent) => void) | null };
        this.channels.add(own);
        return Object.assign(own, {
          postMessage: (data: unknown) => {
            for (const other of this.channels) if (other !== own) other.onmessage?.({ data } as MessageEvent);
          },
          close: () => this.channels.delete(own),
        });
      },
      locks: {
        request: ((_: string, how: LockOptions, work: Request["work"]) =>
          this.lock.request(how, work)) as LockManager["request"],
      },
      stream: (handlers) => {
        const stream = new FakeStream(handlers);
        this.streams.push(stream);
        return stream as unknown as EventStream;
      },
      now: Date.now,
      chance: () => 0,
    };
  }
}

class FakeStream {
  after: number | null = null;
  stopped = false;
  restarts = 0;
  constructor(readonly handlers: ConstructorParameters<typeof EventStream>[0]) {}
  start(after: number | null): void {
    this.after = after;
    this.handlers.onConnection("open");
  }
  stop(): void {
    this.stopped = true;
  }
  restart(): void {
    this.restarts++;
  }
  say(id: number | null): void {
    const data = { status: "running", completion_reason: null } as const;
    this.handlers.onEvent({ id, type: "run.status", run_id: null, at: "", data });
  }
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe("the tabs of a browser", () => {
  let tabs: Tabs;
  let heard: (number | null)[][];
  let states: Connection[];
  const open = async () => {
    const own: (number | null)[] = [];
    heard.push(own);
    const tab = heard.length - 1;
    const shared = new SharedStream(
      {
        onEvent: ({ id }) => own.push(id),
        onConnection: (state) => {
          states[tab] = state;
        },
      },
      tabs.around(),
    );
    shared.start("ann");
    await settled();
    return shared;
  };
  beforeEach(() => {
    vi.useFakeTimers();
    tabs = new Tabs();
    heard = [];
    states = [];
  });
  afterEach(() => vi.useRealTimers());

  it("read one stream and all hear it", async () => {
    const [first, second] = [await open(), await open()];
    expect([first.leads, second.leads]).toEqual([true, false]);
    expect(tabs.streams).toHaveLength(1);
    tabs.streams[0]?.say(1);
    tabs.streams[0]?.say(null);
    expect(heard).toEqual([
      [1, null],
      [1, null],
    ]);
  });

  it("learn how the connection is when they come later", async () => {
    await open();
    await open();
    expect(states).toEqual(["open", "open"]);
  });

  it("go on after the last event when the one that reads is closed", async () => {
    const [first, second] = [await open(), await open()];
    tabs.streams[0]?.say(7);
    first.stop();
    await settled();
    expect(second.leads).toBe(true);
    expect(tabs.streams[1]?.after).toBe(7);
    tabs.streams[1]?.say(7);
    tabs.streams[1]?.say(8);
    expect(heard[1]).toEqual([7, 8]);
  });

  it("take over from one that has gone silent, which follows when it wakes up", async () => {
    const [first, second] = [await open(), await open()];
    tabs.streams[0]?.say(7);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([first.leads, second.leads]).toEqual([false, true]);
    expect(tabs.streams[0]?.stopped).toBe(true);
    expect(tabs.streams[1]?.after).toBe(7);
    tabs.streams[1]?.say(8);
    expect(heard).toEqual([
      [7, 8],
      [7, 8],
    ]);
  });

  it("leave it to one that is awake", async () => {
    const [first] = [await open(), await open()];
    for (let beat = 0; beat < 10; beat++) {
      await vi.advanceTimersByTimeAsync(15_000);
      tabs.streams[0]?.handlers.onHeartbeat();
    }
    expect(first.leads).toBe(true);
    expect(tabs.streams).toHaveLength(1);
  });

  it("do not wait for the watchdog when somebody looks", async () => {
    const [first, second] = [await open(), await open()];
    await vi.advanceTimersByTimeAsync(5_000);
    second.hurry();
    expect(tabs.streams[0]?.restarts).toBe(0);
    await vi.advanceTimersByTimeAsync(20_000);
    first.hurry();
    expect(tabs.streams[0]?.restarts).toBe(1);
    second.hurry();
    await settled();
    expect([first.leads, second.leads]).toEqual([false, true]);
  });

  it("steal the lock once, however many reasons there are to hurry", async () => {
    const [first, second] = [await open(), await open()];
    await vi.advanceTimersByTimeAsync(25_000);
    second.hurry();
    second.hurry();
    await settled();
    expect([first.leads, second.leads]).toEqual([false, true]);
    expect(tabs.streams.map(({ stopped }) => stopped)).toEqual([true, false]);
  });

  it("start over where the server has been restored to an earlier place", async () => {
    await open();
    await open();
    tabs.streams[0]?.say(41);
    tabs.streams[0]?.handlers.onRewind();
    tabs.streams[0]?.say(12);
    expect(heard).toEqual([
      [41, 12],
      [41, 12],
    ]);
  });

  it("begin anew when they were stopped, and when somebody else signs in", async () => {
    const tab = await open();
    tabs.streams[0]?.say(7);
    tab.stop();
    await settled();
    tab.start("ann");
    await settled();
    expect(tabs.streams[1]?.after).toBe(null);
    tabs.streams[1]?.say(8);
    tab.start("ann");
    expect(tabs.streams[1]?.stopped).toBe(false);
    tab.start("bob");
    await settled();
    expect(tabs.streams[1]?.stopped).toBe(true);
    expect(tabs.streams[2]?.after).toBe(null);
  });

  it("each read for themselves where nothing is shared", async () => {
    const around = { ...tabs.around(), locks: null };
    const shared = new SharedStream({ onEvent: () => {}, onConnection: () => {} }, around);
    shared.start("ann");
    expect(shared.leads).toBe(true);
    shared.stop();
    expect(tabs.streams[0]?.stopped).toBe(true);
  });
});
