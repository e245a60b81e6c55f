import type { InfiniteData } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { Ask, Page, Run } from "../types";

/** A list without one open ask; nothing where it was not in it, so that the cache is left alone. What is listed as
 * decided stays. */
export function withoutAsk(list: InfiniteData<Page<Ask>> | undefined, askId: string) {
  const gone = list?.pages?.flatMap((page) => page.items).find(({ id }) => id === askId);
  if (!list || gone?.status !== "pending") return undefined;
  const isAlike = ({ likeness, similar }: Ask) => likeness && likeness === gone.likeness && similar > 0;
  const pages = list.pages.map((page) => {
    const left = page.items.filter((item) => item.id !== askId);
    const items = left.map((item) => (isAlike(item) ? { ...item, similar: item.similar - 1 } : item));
    return { ...page, items, total: Math.max(0, page.total - 1) };
  });
  return { ...list, pages };
}

/** A list with one run changed; nothing where it was not in it. */
export function withRun(list: InfiniteData<Page<Run>> | undefined, runId: string, change: Partial<Run>) {
  if (!list?.pages?.some((page) => page.items.some(({ id }) => id === runId))) return undefined;
  const pages = list.pages.map((page) => ({
    ...page,
    items: page.items.map((item) => (item.id === runId ? { ...item, ...change } : item)),
  }));
  return { ...list, pages };
}

/** How many came since a long list was read. */
class Arrivals {
  private count = 0;
  private readonly listeners = new Set<() => void>();

  readonly add = (): void => this.set(this.count + 1);
  readonly clear = (): void => this.set(0);
  readonly useCount = (): number => useSyncExternalStore(this.subscribe, () => this.count);

  private readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private set(count: number): void {
    this.count = count;
    for (const listener of this.listeners) listener();
  }
}

export const newRuns = new Arrivals();
const newAsks = new Arrivals();
export const { add: arrived, clear: allRead, useCount: useArrived } = newAsks;

/** A list with one ask as it is now; nothing where it was not in it. */
export function withAsk(list: InfiniteData<Page<Ask>> | undefined, ask: Ask): InfiniteData<Page<Ask>> | undefined {
  if (!list?.pages?.some((page) => page.items.some(({ id }) => id === ask.id))) return undefined;
  const put = (item: Ask) => (item.id === ask.id ? ask : item);
  return { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.map(put) })) };
}
