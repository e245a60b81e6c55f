import { type Connection, EventStream, type SignoffEvent } from "./events";

/** What the tabs of one browser say to each other. */
type Said =
  | { say: "event"; event: SignoffEvent }
  | { say: "state"; state: Connection; position: number | null }
  | { say: "hello" };

export interface Handlers {
  onEvent: (event: SignoffEvent) => void;
  /** `since` says from when on nothing was missed. */
  onConnection: (state: Connection, since: number) => void;
}

interface Channel {
  postMessage: (said: Said) => void;
  onmessage: ((message: MessageEvent<Said>) => void) | null;
  close: () => void;
}

export interface Surroundings {
  channel: (() => Channel) | null;
  locks: Pick<LockManager, "request"> | null;
  stream: (handlers: ConstructorParameters<typeof EventStream>[0]) => EventStream;
  now: () => number;
}

const NAME = "signoff-events";

export const browser: Surroundings = {
  channel: "BroadcastChannel" in globalThis ? () => new BroadcastChannel(NAME) as Channel : null,
  // Only on https and localhost; elsewhere each tab has its own stream.
  locks: globalThis.navigator?.locks ?? null,
  stream: (handlers) => new EventStream(handlers),
  now: Date.now,
};

/**
 * One stream of events for all tabs of a browser: the tab that holds the lock reads it and hands it on.
 *
 * When that tab closes, the next gets the lock and reads on after the last position that it heard, so that nothing is
 * lost; what comes twice is dropped by its id.
 */
export class SharedStream {
  private channel: Channel | null = null;
  private stream: EventStream | null = null;
  private release: (() => void) | null = null;
  private stopping: AbortController | null = null;
  private position: number | null = null;
  private state: Connection = "connecting";
  private listeningSince = 0;

  constructor(
    private readonly handlers: Handlers,
    private readonly around: Surroundings = browser,
  ) {}

  start(): void {
    if (this.stopping) return;
    this.stopping = new AbortController();
    this.listeningSince = this.around.now();
    this.say("connecting");
    if (this.around.channel && this.around.locks)
      this.share(this.around.channel(), this.around.locks, this.stopping.signal);
    else this.lead();
  }

  /** Listen to the tab that leads, and take its place when it is gone. */
  private share(channel: Channel, locks: Pick<LockManager, "request">, signal: AbortSignal): void {
    this.channel = channel;
    channel.onmessage = ({ data }) => this.hear(data);
    channel.postMessage({ say: "hello" });
    const held = locks.request(NAME, { signal }, () => {
      this.lead();
      return new Promise<void>((resolve) => {
        this.release = resolve;
      });
    });
    // Stopped before it was this tab's turn.
    held.catch(() => {});
  }

  stop(): void {
    this.stopping?.abort();
    this.stopping = null;
    this.stream?.stop();
    this.stream = null;
    this.release?.();
    this.release = null;
    this.channel?.close();
    this.channel = null;
  }

  /** The network is back, or the machine woke up: do not wait for the next try. */
  hurry(): void {
    if (this.stream && this.state !== "open") this.stream.restart();
  }

  get leads(): boolean {
    return this.stream !== null;
  }

  private lead(): void {
    if (!this.stopping) return;
    this.stream = this.around.stream({
      onEvent: (event) => {
        this.channel?.postMessage({ say: "event", event });
        this.take(event);
      },
      onConnection: (state) => {
        this.channel?.postMessage({ say: "state", state, position: this.position });
        this.listeningSince = this.around.now();
        this.say(state);
      },
    });
    this.stream.start(this.position);
  }

  private hear(said: Said): void {
    switch (said.say) {
      case "hello":
        if (this.stream) this.channel?.postMessage({ say: "state", state: this.state, position: this.position });
        break;
      case "state":
        if (this.stream) break;
        if (said.state !== "open") this.listeningSince = this.around.now();
        this.position ??= said.position;
        if (said.state !== this.state) this.say(said.state);
        break;
      case "event":
        if (!this.stream) this.take(said.event);
        break;
    }
  }

  private take(event: SignoffEvent): void {
    if (event.id !== null) {
      if (this.position !== null && event.id <= this.position) return;
      this.position = event.id;
    }
    this.handlers.onEvent(event);
  }

  private say(state: Connection): void {
    this.state = state;
    this.handlers.onConnection(state, this.listeningSince);
  }
}
