import { beforeEach, describe, expect, it } from "vitest";
import type { Connection, EventStream, SignoffEvent } from "./events";
import { SharedStream, type Surroundings } from "./shared";

/** Tabs of one browser: channels that hear each other, and a lock that one of them has. */
class Tabs {
  private readonly channels = new Set<{ onmessage: ((message: MessageEvent) => void) | null }>();
  private readonly waiting: (() => void)[] = [];
  private held = false;
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
        request: ((_: string, __: object, work: () => Promise<void>) => this.lock(work)) as LockManager["request"],
      },
      stream: (handlers) => {
        const stream = new FakeStream(handlers);
        this.streams.push(stream);
        return stream as unknown as EventStream;
      },
      now: () => 0,
    };
  }

  private async lock(work: () => Promise<void>): Promise<void> {
    if (this.held) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.held = true;
    await work();
    this.held = false;
    this.waiting.shift()?.();
  }
}

class FakeStream {
  after: number | null = null;
  stopped = false;
  constructor(
    readonly handlers: { onEvent: (event: SignoffEvent) => void; onConnection: (state: Connection) => void },
  ) {}
  start(after: number | null): void {
    this.after = after;
    this.handlers.onConnection("open");
  }
  stop(): void {
    this.stopped = true;
  }
  say(id: number | null): void {
    this.handlers.onEvent({ id, type: "run.status", run_id: null, at: "", data: {} });
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

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
    shared.start();
    await settled();
    return shared;
  };
  beforeEach(() => {
    tabs = new Tabs();
    heard = [];
    states = [];
  });

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

  it("each read for themselves where nothing is shared", async () => {
    const around = { ...tabs.around(), locks: null };
    const shared = new SharedStream({ onEvent: () => {}, onConnection: () => {} }, around);
    shared.start();
    expect(shared.leads).toBe(true);
    shared.stop();
    expect(tabs.streams[0]?.stopped).toBe(true);
  });
});
