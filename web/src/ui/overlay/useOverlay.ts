import { createContext, useCallback, useEffect, useRef, useState } from "react";

const requested = new Set<object>();

/** How many layers over the page this part stands on: a dialog that takes keys of its own is one. */
export const Layer = createContext(0);

/** Whether something lies over the page, or is on its way: then keys are not for the page below. */
export function isCovered(layer = 0): boolean {
  const over = document.querySelectorAll<HTMLElement>('[role="dialog"], [role="menu"], [role="listbox"]');
  // A closed list of suggestions stays in the page, and is not seen.
  return requested.size > 0 || [...over].filter((each) => each.checkVisibility?.() ?? true).length > layer;
}

/**
 * What is open over the page. It may have to be loaded first, and whoever asked for it types on: so the page counts as
 * covered from the request on.
 */
export function useOverlay<Name extends string>() {
  const [over, setOver] = useState<Name | null>(null);
  const token = useRef({}).current;
  const open = useCallback(
    (name: Name) => {
      requested.add(token);
      setOver(name);
    },
    [token],
  );
  const close = useCallback(() => {
    requested.delete(token);
    setOver(null);
  }, [token]);
  useEffect(() => () => void requested.delete(token), [token]);
  return { over, open, close };
}
