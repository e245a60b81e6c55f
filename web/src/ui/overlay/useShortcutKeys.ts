import { useContext, useEffect, useRef } from "react";
import { isTextField, lostField } from "./lostField";
import { isCovered, Layer } from "./useOverlay";

type Keys = Record<string, (() => unknown) | undefined>;

/**
 * Single-key shortcuts for the page or a layer over it; never while somebody types, or types on into what has just gone,
 * or something lies over that. `held` may repeat.
 */
export function useShortcutKeys(keys: Keys, held: string[] = []): void {
  const layer = useContext(Layer);
  const latest = useRef({ keys, held });
  latest.current = { keys, held };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.repeat && !latest.current.held.includes(event.key)) return;
      if (isBusy(event) || isCovered(layer)) return;
      if (event.key !== "Escape" && lostField.isTypedOn()) return;
      const act = latest.current.keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [layer]);
}

/** Somebody types, or presses what has the focus. */
function isBusy({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (key === "Enter" && target.closest("a, button, summary, [role='menuitem']")) return true;
  return isTextField(target);
}
