import { isProblem, isUnreachable } from "@/api/problems";
import type { Answer, Ask } from "@/api/types";

/** One person's decision on its way to the server. */
export interface Outgoing {
  /** Also the request's Idempotency-Key: sent twice, it counts once. */
  key: string;
  user: string;
  askId: string;
  title: string;
  answer: Answer;
  decidedAt: number;
  /** Until then it can be taken back. */
  due: number;
  /** `held` can be undone, `sending` is on its way, `kept` waits until Signoff can be reached. */
  state: "held" | "sending" | "kept";
}

export interface Means {
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  now: () => number;
  send: (outgoing: Outgoing, leaving: boolean) => Promise<Ask>;
  onSent: (outgoing: Outgoing, ask: Ask) => void;
  /** Somebody, or time, was faster; or it changed meanwhile. */
  onLate: (outgoing: Outgoing, error: unknown) => void;
  onFailed: (outgoing: Outgoing, error: unknown) => void;
}

const PLACE = "signoff.outbox";
// What another tab has not sent this long after it was due, nobody is going to send.
const ORPHANED_MS = 3_000;

/** Decisions that can be taken back for a moment, and that survive a lost connection or a closed page. */
export class Outbox {
  private items: readonly Outgoing[] = [];
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly means: Means) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly all = (): readonly Outgoing[] => this.items;

  add(outgoing: Omit<Outgoing, "state">): void {
    this.change([...this.items.filter(({ askId }) => askId !== outgoing.askId), { ...outgoing, state: "held" }]);
    const wait = Math.max(0, outgoing.due - this.means.now());
    this.timers.set(
      outgoing.key,
      setTimeout(() => this.sendNow(outgoing.key), wait),
    );
  }

  /** Take it back, if it is not on its way yet. */
  undo(key: string): boolean {
    const found = this.items.find((item) => item.key === key);
    if (!found || found.state === "sending") return false;
    this.drop(key);
    return true;
  }

  async sendNow(key: string, leaving = false): Promise<void> {
    const found = this.items.find((item) => item.key === key);
    if (!found || found.state === "sending") return;
    clearTimeout(this.timers.get(key));
    this.mark(key, "sending");
    try {
      const ask = await this.means.send(found, leaving);
      this.drop(key);
      this.means.onSent(found, ask);
    } catch (error) {
      // Whoever has to sign in again loses nothing either.
      if (isUnreachable(error) || isProblem(error, 401)) return this.mark(key, "kept");
      this.drop(key);
      if (isProblem(error, 409)) this.means.onLate(found, error);
      else this.means.onFailed(found, error);
    }
  }

  /** The page closes: whatever is held goes out now. */
  leave(): void {
    for (const { key, state } of this.items) if (state === "held") this.sendNow(key, true);
  }

  /** Send what could not be sent; also what a closed tab of the same person left behind. */
  async retry(user: string): Promise<void> {
    const left = this.stored().filter((item) => item.user === user && this.isOrphan(item));
    if (left.length > 0) this.change([...this.items, ...left.map((item) => ({ ...item, state: "kept" as const }))]);
    for (const { key, state } of this.items) if (state === "kept") await this.sendNow(key);
  }

  private isOrphan(item: Outgoing): boolean {
    return item.due + ORPHANED_MS < this.means.now() && !this.items.some(({ key }) => key === item.key);
  }

  private mark(key: string, state: Outgoing["state"]): void {
    this.change(this.items.map((item) => (item.key === key ? { ...item, state } : item)));
  }

  private drop(key: string): void {
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
    this.change(this.items.filter((item) => item.key !== key));
  }

  /** Other tabs keep theirs in the same place. */
  private change(next: readonly Outgoing[]): void {
    const own = new Set([...this.items, ...next].map(({ key }) => key));
    const all = [...this.stored().filter(({ key }) => !own.has(key)), ...next];
    this.items = next;
    if (all.length > 0) this.means.storage.setItem(PLACE, JSON.stringify(all));
    else this.means.storage.removeItem(PLACE);
    for (const listener of this.listeners) listener();
  }

  private stored(): Outgoing[] {
    try {
      const items = JSON.parse(this.means.storage.getItem(PLACE) ?? "[]");
      return Array.isArray(items) ? items : [];
    } catch {
      return [];
    }
  }
}
