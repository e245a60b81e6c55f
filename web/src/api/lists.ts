import type { InfiniteData } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { Ask, Page, Run } from "./types";

/** A list without one ask; nothing where it was not in it, so that the cache is left alone. */
export function withoutAsk(list: InfiniteData<Page<Ask>> | undefined, askId: string) {
  if (!list?.pages?.some((page) => page.items.some(({ id }) => id === askId))) return undefined;
  const pages = list.pages.map((page) => {
    const items = page.items.filter((item) => item.id !== askId);
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

/** How many asks came since a long list was read. */
let newer = 0;
const listeners = new Set<() => void>();

function set(count: number): void {
  newer = count;
  for (const listener of listeners) listener();
}

export const arrived = (): void => set(newer + 1);
export const allRead = (): void => set(0);

export function useArrived(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => newer,
  );
}
