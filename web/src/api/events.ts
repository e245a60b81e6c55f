/** One event of the workspace. `id` is its position in the stream; text being written (`run.delta`) has none. */
export interface SignoffEvent {
  id: number | null;
  type: string;
  run_id: string | null;
  at: string;
  data: Record<string, unknown>;
}

export type Connection = "connecting" | "open" | "lost" | "idle";

/** One ask as events carry it. */
export interface AskBrief {
  id: string;
  kind: string;
  status: string;
  title: string;
  run_id: string | null;
  settled_by: string | null;
}

export const EVENT_TYPES = [
  "run.created",
  "run.status",
  "run.progress",
  "run.message",
  "run.delta",
  "call.started",
  "call.finished",
  "ask.created",
  "ask.updated",
  "ask.settled",
  "deliverable.created",
  "limit.warning",
  "run.ended",
  "notification.created",
  "ask.viewing",
];

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

interface Handlers {
  onEvent: (event: SignoffEvent) => void;
  onConnection: (state: Connection) => void;
}

/**
 * A stream of events, in order, each once.
 *
 * A browser reopens a dropped EventSource itself, but gives up for good after an error status (a server that is
 * restarting behind a proxy). So every loss is handled here: reopen after the last position, waiting longer each time.
 */
export class EventStream {
  private source: EventSource | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private position: number | null = null;
  private wait = FIRST_WAIT;

  constructor(
    private readonly handlers: Handlers,
    private readonly open: (url: string) => EventSource = (url) => new EventSource(url),
  ) {}

  /** Begin, or go on; `after` when another tab has read up to there. */
  start(after: number | null = null): void {
    if (this.source || this.timer) return;
    if (after !== null) this.position = Math.max(after, this.position ?? 0);
    this.handlers.onConnection("connecting");
    this.connect();
  }

  /** Rest without losing the place: `start` goes on after the last event seen. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.source?.close();
    this.source = null;
    this.handlers.onConnection("idle");
  }

  /** Try again now, rather than after the wait. */
  restart(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.connect();
  }

  private connect(): void {
    this.timer = undefined;
    const source = this.open(this.position === null ? "/api/events" : `/api/events?after=${this.position}`);
    this.source = source;
    source.onopen = () => {
      this.wait = FIRST_WAIT;
      this.handlers.onConnection("open");
    };
    source.onerror = () => {
      source.close();
      if (this.source === source) this.reopenLater();
    };
    const receive = (message: MessageEvent<string>) => this.receive(message.data);
    source.addEventListener("message", receive);
    for (const type of EVENT_TYPES) source.addEventListener(type, receive);
  }

  private reopenLater(): void {
    this.source = null;
    this.handlers.onConnection("lost");
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  private receive(text: string): void {
    const event = parse(text);
    if (!event) return;
    if (event.id !== null) {
      if (this.position !== null && event.id <= this.position) return;
      this.position = event.id;
    }
    this.handlers.onEvent(event);
  }
}

function parse(text: string): SignoffEvent | null {
  try {
    const event = JSON.parse(text);
    return typeof event?.type === "string" ? { ...event, id: event.id ?? null, data: event.data ?? {} } : null;
  } catch {
    return null;
  }
}
