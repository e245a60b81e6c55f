import { useLayoutEffect, useSyncExternalStore } from "react";

/** The ask that lies over the page: the run behind it does not show it a second time. */
let over: string | null = null;
const listeners = new Set<() => void>();

function put(askId: string | null): void {
  over = askId;
  for (const listener of listeners) listener();
}

/** This ask is shown in a dialog as long as the caller is there. */
export function useShownInDialog(askId: string): void {
  useLayoutEffect(() => {
    put(askId);
    return () => put(null);
  }, [askId]);
}

export const useIsInDialog = (askId: string): boolean => useSyncExternalStore(subscribe, () => over === askId);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
