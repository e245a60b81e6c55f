import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queries } from "../client";
import { type Connection, EventStream, type SignoffEvent } from "./eventStream";

class FakeSource {
  static made: FakeSource[] = [];
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  closed = false;
  private readonly listeners = new Map<string, (message: { data: string }) => void>();

  constructor(readonly url: string) {
    FakeSource.made.push(this);
  }
  addEventListener(type: string, listener: (message: { data: string }) => void): void {
    this.listeners.set(type, listener);
  }
  close(): void {
    this.closed = true;
  }
  say(event: Partial<SignoffEvent>): void {
    this.listeners.get("message")?.({ data: JSON.stringify({ run_id: null, at: "", data: {}, ...event }) });
  }
  beat(): void {
    this.listeners.get("heartbeat")?.({ data: "{}" });
  }
}

const last = () => FakeSource.made.at(-1) as FakeSource;

describe("the event stream", () => {
  let events: SignoffEvent[];
  let states: Connection[];
  let beats: number;
  let rewinds: number;
  let stream: EventStream;
  let signedOut: boolean;

  beforeEach(() => {
    vi.useFakeTimers();
    FakeSource.made = [];
    events = [];
    states = [];
    beats = 0;
    rewinds = 0;
    signedOut = false;
    stream = new EventStream(
      {
        onEvent: (event) => events.push(event),
        onConnection: (state) => states.push(state),
        onHeartbeat: () => beats++,
        onRewind: () => rewinds++,
      },
      (url) => new FakeSource(url) as unknown as EventSource,
      async () => signedOut,
    );
    stream.start();
  });
  afterEach(() => vi.useRealTimers());

  it("begins with what happens from now on", () => {
    expect(last().url).toBe("/api/events?heartbeat=true");
  });

  it("says which workspace it is for, each time that it opens", () => {
    queries.setQueryData(["get", "/api/me", {}], { workspace: { id: "w1" } });
    stream.restart();
    expect(last().url).toBe("/api/events?heartbeat=true&workspace=w1");
    queries.clear();
  });

  it("hands on events in their order", () => {
    last().say({ id: 1, type: "ask.created" });
    last().say({ id: 2, type: "ask.settled" });
    expect(events.map((event) => event.id)).toEqual([1, 2]);
  });

  it("opens again when it hears nothing, although nobody said that it is closed", () => {
    last().onopen?.();
    last().say({ id: 5, type: "run.status" });
    const dead = last();
    vi.advanceTimersByTime(41_000);
    expect(dead.closed).toBe(true);
    expect(states.at(-1)).toBe("lost");
    expect(last().url).toBe("/api/events?heartbeat=true&after=5");
  });

  it("opens again when it does not even get through", () => {
    vi.advanceTimersByTime(41_000);
    expect(FakeSource.made).toHaveLength(2);
  });

  it("stays open as long as the server's heart beats", () => {
    last().onopen?.();
    for (let beat = 0; beat < 10; beat++) {
      vi.advanceTimersByTime(15_000);
      last().beat();
    }
    expect(FakeSource.made).toHaveLength(1);
    expect(states.at(-1)).toBe("open");
    expect([events, beats]).toEqual([[], 10]);
  });

  it("drops what it has seen", () => {
    for (const id of [7, 7, 6, 8]) last().say({ id, type: "run.status" });
    expect(events.map((event) => event.id)).toEqual([7, 8]);
  });

  it("lets text without a position through, and keeps its place", () => {
    last().say({ id: 3, type: "run.message" });
    last().say({ id: null, type: "run.delta" });
    last().say({ id: null, type: "run.delta" });
    last().onerror?.();
    vi.advanceTimersByTime(500);
    expect(events).toHaveLength(3);
    expect(last().url).toBe("/api/events?heartbeat=true&after=3");
  });

  it("reopens after the last position when the connection is lost", () => {
    const first = last();
    first.say({ id: 41, type: "run.status" });
    first.onerror?.();
    expect(first.closed).toBe(true);
    expect(states.at(-1)).toBe("lost");
    vi.advanceTimersByTime(500);
    expect(last().url).toBe("/api/events?heartbeat=true&after=41");
    last().onopen?.();
    expect(states.at(-1)).toBe("open");
  });

  it("tells a session that has ended from a server that is gone", async () => {
    last().onopen?.();
    signedOut = true;
    last().onerror?.();
    await vi.advanceTimersByTimeAsync(0);
    await vi.advanceTimersByTimeAsync(500);
    last().onerror?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(states).toEqual(["connecting", "open", "lost", "ended"]);
    signedOut = false;
    await vi.advanceTimersByTimeAsync(1000);
    last().onerror?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(states.at(-1)).toBe("lost");
  });

  it("hears a server that was restored to an earlier place", () => {
    last().say({ id: 41, type: "run.status" });
    last().onerror?.();
    vi.advanceTimersByTime(500);
    for (const id of [12, 12, 13]) last().say({ id, type: "run.status" });
    expect(events.map((event) => event.id)).toEqual([41, 12, 13]);
    expect(rewinds).toBe(1);
  });

  it("waits longer after each failure, up to a limit, and starts over once it is open", () => {
    const waits = [500, 1000, 2000, 4000, 8000, 15_000, 15_000];
    for (const wait of waits) {
      const before = FakeSource.made.length;
      last().onerror?.();
      vi.advanceTimersByTime(wait - 1);
      expect(FakeSource.made).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(FakeSource.made).toHaveLength(before + 1);
    }
    last().onopen?.();
    const before = FakeSource.made.length;
    last().onerror?.();
    vi.advanceTimersByTime(500);
    expect(FakeSource.made).toHaveLength(before + 1);
  });

  it("keeps its place while it rests", () => {
    last().say({ id: 9, type: "run.status" });
    stream.stop();
    expect(last().closed).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(FakeSource.made).toHaveLength(1);
    stream.start();
    expect(last().url).toBe("/api/events?heartbeat=true&after=9");
  });

  it("does not open twice", () => {
    stream.start();
    expect(FakeSource.made).toHaveLength(1);
  });

  it("is not thrown off by what is no event", () => {
    const listeners = last() as unknown as { listeners: Map<string, (message: { data: string }) => void> };
    listeners.listeners.get("message")?.({ data: "{" });
    listeners.listeners.get("message")?.({ data: "null" });
    expect(events).toEqual([]);
  });
});
