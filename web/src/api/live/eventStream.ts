import { http, workspaceHere } from "../client";
import { parseExactly } from "../exactIntegers";
import { Problem } from "../problems";
import type { components } from "../schema";

/** One event of the workspace. `id` is its position in the stream; text being written (`run.delta`) has none. */
export type SignoffEvent = components["schemas"]["Event"];

/** `ended`: the server is there, but whoever was signed in is not any more. */
export type Connection = "connecting" | "open" | "lost" | "ended" | "idle";

/** One ask as events carry it. */
export type AskBrief = components["schemas"]["AskBrief"];

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
// The server's heart beats every 15 seconds: two beats may get lost.
export const SILENCE_MS = 40_000;

interface Handlers {
  onEvent: (event: SignoffEvent) => void;
  onConnection: (state: Connection) => void;
  onHeartbeat: () => void;
  /** The stream is another one than before: its positions start over. */
  onRewind: () => void;
}

/**
 * A stream of events, in order, each once.
 *
 * A browser reopens a dropped EventSource itself, but gives up for good after an error status (a server that is
 * restarting behind a proxy), and never notices a connection that died without a word (a machine that slept, a network
 * that changed). So every loss is handled here: reopen after the last position, waiting longer each time.
 */
export class EventStream {
  private source: EventSource | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  private position: number | null = null;
  /** The place that this connection asked for, until its first event. */
  private asked: number | null = null;
  private wait = FIRST_WAIT;
  private state: Connection = "idle";

  constructor(
    private readonly handlers: Handlers,
    private readonly open: (url: string) => EventSource = (url) => new EventSource(url),
    private readonly isSignedOut: () => Promise<boolean> = signedOut,
  ) {}

  /** Begin, or go on; `after` when another tab has read up to there. */
  start(after: number | null = null): void {
    if (this.source || this.timer) return;
    if (after !== null) this.position = Math.max(after, this.position ?? 0);
    this.tell("connecting");
    this.connect();
  }

  /** Rest without losing the place: `start` goes on after the last event seen. */
  stop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.watchdog);
    this.timer = undefined;
    this.source?.close();
    this.source = null;
    this.tell("idle");
  }

  /** Try again now, rather than after the wait. */
  restart(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.connect();
  }

  private connect(): void {
    this.timer = undefined;
    this.asked = this.position;
    const after = this.position === null ? "" : `&after=${this.position}`;
    // A tab that slept while its person went to another workspace must not hear that one's events.
    const here = workspaceHere();
    const source = this.open(`/api/events?heartbeat=true${after}${here ? `&workspace=${here}` : ""}`);
    this.source = source;
    this.alive();
    source.onopen = () => {
      this.alive();
      this.wait = FIRST_WAIT;
      this.tell("open");
    };
    source.onerror = () => {
      source.close();
      if (this.source === source) this.reopenLater();
    };
    source.addEventListener("message", ({ data }) => {
      this.alive();
      this.receive(data);
    });
    source.addEventListener("heartbeat", () => {
      this.alive();
      this.handlers.onHeartbeat();
    });
  }

  private alive(): void {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => {
      this.tell("lost");
      this.restart();
    }, SILENCE_MS);
  }

  private reopenLater(): void {
    clearTimeout(this.watchdog);
    this.source = null;
    if (this.state !== "ended") this.tell("lost");
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    this.look();
  }

  /** An EventSource does not say why it failed: a session that has ended is no server that is gone. */
  private async look(): Promise<void> {
    const ended = await this.isSignedOut();
    // Meanwhile it may have been opened or stopped.
    if (this.state === "lost" && ended) this.tell("ended");
    else if (this.state === "ended" && !ended) this.tell("lost");
  }

  private tell(state: Connection): void {
    this.state = state;
    this.handlers.onConnection(state);
  }

  private receive(text: string): void {
    const event = parse(text);
    if (!event) return;
    if (event.id !== null) {
      this.rewindFor(event.id);
      if (this.position !== null && event.id <= this.position) return;
      this.position = event.id;
    }
    this.handlers.onEvent(event);
  }

  /** A server that goes on before the place that was asked for has not got that far: it was restored, or is another. */
  private rewindFor(id: number): void {
    const isBehind = this.asked !== null && id <= this.asked;
    this.asked = null;
    if (!isBehind) return;
    this.position = null;
    this.handlers.onRewind();
  }
}

/** The page starts anew by itself if its person has gone to another workspace. */
async function signedOut(): Promise<boolean> {
  return http.GET("/api/me").then(
    () => false,
    (problem) => problem instanceof Problem && problem.status === 401,
  );
}

function parse(text: string): SignoffEvent | null {
  try {
    const event = parseExactly(text) as Partial<SignoffEvent> | null;
    return typeof event?.type === "string"
      ? ({ ...event, id: event.id ?? null, data: event.data ?? {} } as SignoffEvent)
      : null;
  } catch {
    return null;
  }
}
