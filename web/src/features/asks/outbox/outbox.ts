import { IDENTITY } from "@/api/identity";
import { isProblem, isUnreachable, Problem, wordsOf } from "@/api/problems";
import type { Answer } from "@/api/types";
import type { TableDraft } from "./tableDrafts";

/** One person's decision on its way to the server. */
export interface Outgoing {
  /** Also the request's Idempotency-Key: sent twice, it counts once. */
  key: string;
  /** Its author, in the workspace where it was decided. */
  user: string;
  /** The author's name in the record. */
  by: string;
  askId: string;
  title: string;
  answer: Answer;
  /** What it does to the ask, as it was seen; one kept from before has no words of its own. */
  words?: string;
  /** Others that get the same answer, as they were seen: the digest of each by its id. */
  alike?: Record<string, string | null>;
  /** Decided together in the table of this group. */
  group?: string;
  /** As that table was, for whoever takes it back. */
  table?: TableDraft;
  /** So many of a large batch have their answer. */
  sent?: number;
  decidedAt: number;
  /** Until then it can be taken back. */
  due: number;
  /** `held` can be undone, `sending` is on its way, `kept` waits to be sent again, `refused` needs its author. */
  state: "held" | "sending" | "kept" | "refused";
  /** It was sent at least once, so the server may have taken it although no response came. */
  tried?: boolean;
  /** What it waits for. */
  waits?: "connection" | "sign-in" | "server";
  /** How often the server failed at it, and when to ask it next. */
  failures?: number;
  notBefore?: number;
  /** Why it was refused. */
  problem?: string;
}

export interface Delivery<Sent> {
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  now: () => number;
  online: () => boolean;
  send: (outgoing: Outgoing, leaving: boolean, onPart: (done: number) => void) => Promise<Sent>;
  /** Whether the server has taken it, as far as anybody can tell now. */
  taken: (outgoing: Outgoing) => Promise<"yes" | "no" | "unknown">;
  onSent: (outgoing: Outgoing, sent: Sent) => void;
  /** Somebody, or time, was faster; or it changed meanwhile. */
  onLate: (outgoing: Outgoing, error: unknown) => void;
  onRefused: (outgoing: Outgoing) => void;
  /** The browser cannot store it: it lives as long as the page. */
  onUnstored: () => void;
}

type Undone = "undone" | "taken" | "unknown" | "sending";

const PLACE = "signoff.outbox";
// What another tab has not sent this long after it was due, nobody is going to send.
const ORPHANED_MS = 3_000;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;
const MOST_FAILURES = 6;

/** Decisions that can be taken back for a moment, and that survive a lost connection or a closed page. */
export class Outbox<Sent> {
  private items: readonly Outgoing[] = [];
  /** Which of them are in the storage, where another tab may take them away. */
  private written: ReadonlySet<string> = new Set();
  private user: string | null = null;
  /** Whether the other tabs know who is signed in. */
  private shared = true;
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly delivery: Delivery<Sent>) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly all = (): readonly Outgoing[] => this.items;

  isOf(user: string | null): boolean {
    return this.user === user;
  }

  /** Whose decisions go out from here, or nobody's. What others left stays in the storage until they come back. */
  belongTo(user: string | null): void {
    this.user = user;
    if (this.delivery.storage.getItem(IDENTITY) !== user) this.shared = this.store(IDENTITY, user);
    this.items = this.items.filter((item) => item.user === user);
    this.tell();
  }

  add(outgoing: Omit<Outgoing, "state">): void {
    const stored = this.change([
      ...this.items.filter(({ askId }) => askId !== outgoing.askId),
      { ...outgoing, state: "held" },
    ]);
    if (!stored) this.delivery.onUnstored();
    this.sendIn(outgoing.key, outgoing.due - this.delivery.now());
  }

  /** Take it back, if it is not on its way yet and has not arrived before. */
  async undo(key: string): Promise<Undone> {
    const found = this.find(key);
    if (!found || found.state === "sending") return "sending";
    this.drop(key);
    if (!found.tried || found.state === "refused") return "undone";
    const taken = await this.delivery.taken(found);
    return taken === "yes" ? "taken" : taken === "no" ? "undone" : "unknown";
  }

  async sendNow(key: string, leaving = false): Promise<void> {
    const found = this.find(key);
    if (!found || found.state === "sending" || found.state === "refused" || !this.isSigned(found)) return;
    clearTimeout(this.timers.get(key));
    if (!this.delivery.online()) {
      this.mark(key, { state: "kept", waits: "connection" });
      return;
    }
    this.mark(key, { state: "sending", tried: true });
    try {
      const sent = await this.delivery.send(found, leaving, (sent) => this.mark(key, { sent }));
      this.drop(key);
      this.delivery.onSent(found, sent);
    } catch (error) {
      this.failed(found, error);
    }
  }

  /** The page closes or goes out of sight, and may never run again: whatever is held goes out now. */
  leave(): Promise<void> {
    return this.sendHeld(true);
  }

  /** Send what could still be taken back; done when all of it has its answer. */
  async sendHeld(leaving = false): Promise<void> {
    const held = this.items.filter(({ state }) => state === "held");
    await Promise.all(held.map(({ key }) => this.sendNow(key, leaving)));
  }

  /** Send what could not be sent; also what a closed tab of the same person left behind. */
  async retry(): Promise<void> {
    const left = this.stored().filter((item) => item.user === this.user && this.isOrphan(item));
    if (left.length > 0) this.change([...this.items, ...left.map(asLeft)]);
    const now = this.delivery.now();
    for (const { key, state, notBefore = 0 } of this.items)
      if (state === "kept" && notBefore <= now) await this.sendNow(key);
  }

  /** Another tab changed the storage: what it sent or took back is gone here, too. */
  heard(): void {
    if (this.alive(this.items).length < this.items.length) this.change(this.items);
  }

  private failed(outgoing: Outgoing, error: unknown): void {
    const { key, failures = 0 } = outgoing;
    const fate = fateOf(error, failures);
    switch (fate) {
      case "connection":
        this.mark(key, { state: "kept", waits: fate });
        break;
      case "sign-in":
        // The server has looked at it and not taken it.
        this.mark(key, { state: "kept", waits: fate, tried: outgoing.tried });
        break;
      case "server":
        this.tryLater(key, failures);
        break;
      case "late":
        this.drop(key);
        this.delivery.onLate(outgoing, error);
        break;
      case "refused":
        this.mark(key, { state: "refused", problem: wordsOf(error) });
        this.delivery.onRefused({ ...outgoing, problem: wordsOf(error) });
        break;
      default:
        fate satisfies never;
    }
  }

  private tryLater(key: string, failures: number): void {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
    const notBefore = this.delivery.now() + wait;
    this.mark(key, { state: "kept", waits: "server", failures: failures + 1, notBefore });
    this.sendIn(key, wait);
  }

  private sendIn(key: string, wait: number): void {
    this.timers.set(
      key,
      setTimeout(() => this.sendNow(key), Math.max(0, wait)),
    );
  }

  /** Only under the name of its author: the cookie is the browser's, and another tab may have changed who is signed in. */
  private isSigned({ user }: Outgoing): boolean {
    return user === this.user && (!this.shared || this.delivery.storage.getItem(IDENTITY) === user);
  }

  private isOrphan(item: Outgoing): boolean {
    return item.due + ORPHANED_MS < this.delivery.now() && !this.find(item.key);
  }

  private find(key: string): Outgoing | undefined {
    return this.items.find((item) => item.key === key);
  }

  private mark(key: string, changed: Partial<Outgoing>): void {
    this.change(this.items.map((item) => (item.key === key ? { ...item, ...changed } : item)));
  }

  private drop(key: string): void {
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
    this.change(
      this.items.filter((item) => item.key !== key),
      key,
    );
  }

  /**
   * Other tabs keep theirs in the same place. Says whether the browser could store it. What is `gone` leaves the storage
   * also when its author has signed out meanwhile, and it is not among the items any more.
   */
  private change(next: readonly Outgoing[], gone?: string): boolean {
    const own = new Set([gone, ...[...this.items, ...next].map(({ key }) => key)]);
    this.items = this.alive(next);
    const all = [...this.stored().filter(({ key }) => !own.has(key)), ...this.items];
    const stored = this.store(PLACE, all.length > 0 ? JSON.stringify(all) : null);
    if (stored) this.written = new Set(this.items.map(({ key }) => key));
    this.tell();
    return stored;
  }

  /** Without what another tab has sent or taken back. */
  private alive(items: readonly Outgoing[]): readonly Outgoing[] {
    const stored = new Set(this.stored().map(({ key }) => key));
    return items.filter(({ key }) => stored.has(key) || !this.written.has(key));
  }

  private store(place: string, text: string | null): boolean {
    try {
      if (text === null) this.delivery.storage.removeItem(place);
      else this.delivery.storage.setItem(place, text);
      return true;
    } catch {
      return false;
    }
  }

  private stored(): Outgoing[] {
    try {
      const items = JSON.parse(this.delivery.storage.getItem(PLACE) ?? "[]");
      return Array.isArray(items) ? items : [];
    } catch {
      return [];
    }
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** A page that was closed while it sent may have arrived: only a refusal stays what it is. */
const asLeft = (item: Outgoing): Outgoing => (item.state === "refused" ? item : { ...item, state: "kept" });

/** What becomes of a decision that was not taken. */
function fateOf(error: unknown, failures: number): NonNullable<Outgoing["waits"]> | "late" | "refused" {
  if (isUnreachable(error)) return "connection";
  // Whoever has to sign in again loses nothing either.
  if (isProblem(error, 401)) return "sign-in";
  if (isProblem(error, 409)) return "late";
  // Too many requests, or a failure of the server's own: the same may work in a while.
  const mayPass = error instanceof Problem && (error.status === 429 || error.status >= 500);
  return mayPass && failures < MOST_FAILURES ? "server" : "refused";
}
