import { type Connection, EventStream, SILENCE_MS, type SignoffEvent } from "./eventStream";

/** What the tabs of one browser say to each other. */
type Said =
  | { say: "event"; event: SignoffEvent }
  | { say: "state"; state: Connection; position: number | null }
  | { say: "alive" }
  | { say: "rewind" }
  | { say: "hurry" }
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

type Locks = Pick<LockManager, "request">;

export interface Surroundings {
  channel: ((name: string) => Channel) | null;
  locks: Locks | null;
  stream: (handlers: ConstructorParameters<typeof EventStream>[0]) => EventStream;
  now: () => number;
  /** Between nought and one. */
  chance: () => number;
}

const NAME = "signoff-events";
// The tab that reads notices silence itself and says so; this much later it must be asleep.
const LEADER_SILENCE_MS = SILENCE_MS + 5_000;
// Longer than the server's heart takes to beat: somebody who looks should not wait for the watchdog.
const SUSPICIOUS_MS = 20_000;

export const browser: Surroundings = {
  channel: "BroadcastChannel" in globalThis ? (name) => new BroadcastChannel(name) as Channel : null,
  // Only on https and localhost; elsewhere each tab has its own stream.
  locks: globalThis.navigator?.locks ?? null,
  stream: (handlers) => new EventStream(handlers),
  now: Date.now,
  chance: Math.random,
};

/**
 * One stream of events for all tabs of a browser: the tab that holds the lock reads it and hands it on.
 *
 * When that tab closes, the next gets the lock and reads on after the last position that it heard, so that nothing is
 * lost; what comes twice is dropped by its id. Browsers put tabs to sleep without taking their locks: from a tab that
 * has gone silent, another takes the lock away.
 */
export class SharedStream {
  private channel: Channel | null = null;
  private stream: EventStream | null = null;
  private release: (() => void) | null = null;
  private running = false;
  private stealing = false;
  private whose: string | null = null;
  private waiting: AbortController | null = null;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  private position: number | null = null;
  private state: Connection = "connecting";
  private listeningSince = 0;
  private heardAt = 0;

  constructor(
    private readonly handlers: Handlers,
    private readonly around: Surroundings = browser,
  ) {}

  /** For one person in one workspace; for the same again it goes on. */
  start(whose: string): void {
    if (this.running && whose === this.whose) return;
    if (this.running) this.stop();
    this.whose = whose;
    this.running = true;
    this.listeningSince = this.around.now();
    this.say("connecting");
    if (this.around.channel && this.around.locks) this.share(this.around.channel(this.name), this.around.locks);
    else this.lead();
  }

  /** Tabs of one person in one workspace share what they read, and no others. */
  private get name(): string {
    return `${NAME}.${this.whose}`;
  }

  /** Listen to the tab that leads, and take its place when it is gone or silent. */
  private share(channel: Channel, locks: Locks): void {
    this.channel = channel;
    channel.onmessage = ({ data }) => this.hear(data);
    this.follow(locks);
  }

  private follow(locks: Locks): void {
    this.heard();
    this.channel?.postMessage({ say: "hello" });
    this.waiting = new AbortController();
    // Refused when it was stopped, or stole the lock, before it was this tab's turn.
    this.hold(locks, { signal: this.waiting.signal }).catch(() => {});
  }

  private steal(locks: Locks): void {
    // Being back online and being looked at come together: it would steal from itself.
    if (this.stealing) return;
    this.stealing = true;
    this.waiting?.abort();
    this.hold(locks, { steal: true }).catch(() => {
      this.stealing = false;
    });
  }

  private async hold(locks: Locks, how: LockOptions): Promise<void> {
    let own: EventStream | null = null;
    try {
      await locks.request(this.name, how, () => {
        this.stealing = false;
        if (!this.running) return;
        own = this.lead();
        return new Promise<void>((resolve) => {
          this.release = resolve;
        });
      });
    } finally {
      // Another tab took the lock while this one was asleep.
      if (own && own === this.stream) this.stepDown(locks);
    }
  }

  private stepDown(locks: Locks): void {
    const { stream } = this;
    this.stream = null;
    stream?.stop();
    this.follow(locks);
  }

  stop(): void {
    this.running = false;
    this.stealing = false;
    // Whoever starts again may be somebody else; what they have read before is read again.
    this.position = null;
    clearTimeout(this.watchdog);
    this.waiting?.abort();
    this.stream?.stop();
    this.stream = null;
    this.release?.();
    this.release = null;
    this.channel?.close();
    this.channel = null;
  }

  /** The network is back, the machine woke up, or somebody looks: do not wait for the next try or the watchdog. */
  hurry(): void {
    const silent = this.around.now() - this.heardAt > SUSPICIOUS_MS;
    if (this.stream) {
      if (silent || this.state !== "open") this.stream.restart();
    } else if (silent && this.running && this.around.locks) this.steal(this.around.locks);
    else this.channel?.postMessage({ say: "hurry" });
  }

  get leads(): boolean {
    return this.stream !== null;
  }

  private lead(): EventStream {
    clearTimeout(this.watchdog);
    const before = this.stream;
    this.stream = null;
    before?.stop();
    const stream = this.around.stream({
      onEvent: (event) => {
        if (this.stream !== stream) return;
        this.heardAt = this.around.now();
        this.channel?.postMessage({ say: "event", event });
        this.take(event);
      },
      onHeartbeat: () => {
        this.heardAt = this.around.now();
        this.channel?.postMessage({ say: "alive" });
      },
      onRewind: () => {
        if (this.stream !== stream) return;
        this.position = null;
        this.channel?.postMessage({ say: "rewind" });
      },
      onConnection: (state) => {
        if (this.stream !== stream) return;
        this.channel?.postMessage({ say: "state", state, position: this.position });
        this.heardAt = this.around.now();
        this.listeningSince = this.heardAt;
        this.say(state);
      },
    });
    this.stream = stream;
    stream.start(this.position);
    return stream;
  }

  private hear(said: Said): void {
    if (this.stream) {
      if (said.say === "hello") this.channel?.postMessage({ say: "state", state: this.state, position: this.position });
      if (said.say === "hurry") this.hurry();
      return;
    }
    // Only the tab that leads says the others.
    if (said.say !== "hello" && said.say !== "hurry") this.heard();
    if (said.say === "rewind") this.position = null;
    if (said.say === "event") this.take(said.event);
    if (said.say === "state") {
      if (said.state !== "open") this.listeningSince = this.around.now();
      this.position ??= said.position;
      if (said.state !== this.state) this.say(said.state);
    }
  }

  /** The tab that leads is awake, as far as this one knows. */
  private heard(): void {
    this.heardAt = this.around.now();
    clearTimeout(this.watchdog);
    const { locks } = this.around;
    // Not all at the same moment: the first to lead tells the others.
    if (locks) this.watchdog = setTimeout(() => this.steal(locks), LEADER_SILENCE_MS + this.around.chance() * 5_000);
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
