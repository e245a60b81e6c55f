import { useEffect, useState } from "react";

/** A key pressed before anybody can have read what came was meant for something else. */
const READ_MS = 1_000;

/** Whether somebody can have read it by now; what did not come by itself was chosen, and counts as read. */
export function useRead(cameByItself: boolean): boolean {
  const [state, setState] = useState({ cameByItself, read: !cameByItself });
  // Not in an effect: no key may come in between.
  if (state.cameByItself !== cameByItself) setState({ cameByItself, read: !cameByItself });
  useEffect(() => {
    if (!cameByItself) return;
    const timer = setTimeout(() => setState({ cameByItself, read: true }), READ_MS);
    return () => clearTimeout(timer);
  }, [cameByItself]);
  return state.read && state.cameByItself === cameByItself;
}
