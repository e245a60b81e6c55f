import { type RefObject, useEffect } from "react";

const FIELDS = "input:not([type=radio], [readonly], [disabled]), textarea, select, [contenteditable=true]";

/** Whoever opens an editor writes next. It stands beside the fields, so that it comes with them when they are loaded. */
export function FocusFirstField({ within }: { within: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    const place = within.current;
    if (!place) return;
    const focus = () => {
      const field = place.querySelector<HTMLElement>(FIELDS);
      field?.focus();
      return field !== null;
    };
    if (focus()) return;
    // A code editor is loaded after its frame.
    const watch = new MutationObserver(() => focus() && watch.disconnect());
    watch.observe(place, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, [within]);
  return null;
}
