import { useSyncExternalStore } from "react";

/** Who looks at which ask right now. Told by events that are not stored, so it fades by itself. */
const LASTS_MS = 25_000;
const seen = new Map<string, Map<string, number>>();
const listeners = new Set<() => void>();
let version = 0;

export function viewed(askId: string, by: string, now = Date.now()): void {
  const people = seen.get(askId) ?? new Map<string, number>();
  seen.set(askId, people.set(by, now));
  version++;
  for (const listener of listeners) listener();
}

export function viewersOf(askId: string, except: string, now: number): string[] {
  const people = [...(seen.get(askId) ?? [])];
  return people.filter(([by, at]) => by !== except && now - at < LASTS_MS).map(([by]) => by);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useViewersVersion(): number {
  return useSyncExternalStore(subscribe, () => version);
}
