import { useEffect, useRef } from "react";
import { isCovered } from "@/ui/overlay/useOverlay";

interface EditorKeys {
  undo: () => void;
  redo: () => void;
  copy: () => void;
  paste: () => void;
  duplicate: () => void;
}

const FIELDS = "input, textarea, select, [contenteditable=true]";

/** Ctrl and a letter, wherever nobody types: fields and the text have keys of their own. */
export function useEditorKeys(keys: EditorKeys, enabled: boolean): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (!enabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isCovered()) return;
      if (event.target instanceof Element && event.target.closest(FIELDS)) return;
      const act = actionFor(event, latest.current);
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [enabled]);
}

function actionFor({ key, shiftKey }: KeyboardEvent, keys: EditorKeys): (() => void) | undefined {
  switch (key.toLowerCase()) {
    case "z":
      return shiftKey ? keys.redo : keys.undo;
    case "y":
      return keys.redo;
    case "c":
      // Words that somebody marked are what they want to copy.
      return window.getSelection()?.isCollapsed === false ? undefined : keys.copy;
    case "v":
      return keys.paste;
    case "d":
      return keys.duplicate;
    default:
      return undefined;
  }
}
