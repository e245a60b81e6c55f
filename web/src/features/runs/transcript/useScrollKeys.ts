import { useShortcutKeys } from "@/ui/overlay/useShortcutKeys";
import { scroller } from "./useScrollFollow";

// A few lines of the screen before stay in sight.
const SCREEN = 0.9;

interface Ways {
  /** To the end, also of what is not loaded yet, and stay there. */
  toEnd: () => void;
  letGo: () => void;
}

/** The keys that a browser has for its own page: ours scrolls inside the frame, and its rows come as they are needed. */
export function useScrollKeys({ toEnd, letGo }: Ways): void {
  const by = (screens: number) => () => {
    const page = scroller();
    letGo();
    page?.scrollBy({ top: screens * SCREEN * page.clientHeight });
  };
  const toTop = () => {
    letGo();
    scroller()?.scrollTo({ top: 0 });
  };
  useShortcutKeys({ Home: toTop, End: toEnd, PageUp: by(-1), PageDown: by(1) }, ["PageUp", "PageDown"]);
}
