import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const NEAR = 120;
const FAR = 600;
const UPWARDS = new Set(["ArrowUp", "PageUp", "Home"]);

/** What scrolls: the shell's main part. */
export const scroller = (): HTMLElement | null => document.getElementById("main");

const below = (page: HTMLElement): number => page.scrollHeight - page.scrollTop - page.clientHeight;

interface Thread {
  ready: boolean;
  live: boolean;
  /** Its end is loaded. Before that, the end of what is there is not the place to stay. */
  whole: boolean;
}

/** Keep the end of the thread in view while it grows, unless the reader goes up. */
export function useFollow(list: RefObject<HTMLElement | null>, { ready, live, whole }: Thread) {
  const pinned = useRef(false);
  const all = useRef(whole);
  all.current = whole;
  const [away, setAway] = useState(false);
  useEffect(() => {
    const page = scroller();
    const element = list.current;
    if (!ready || !page || !element) return;
    let top = page.scrollTop;
    const look = () => {
      if (below(page) < NEAR && all.current) pinned.current = true;
      // A jump up by more than a screen is somebody's wish; rows that are measured move it by less.
      else if (page.scrollTop < top - page.clientHeight) pinned.current = false;
      top = page.scrollTop;
      setAway(below(page) > FAR);
    };
    // Rows that turn out larger or smaller move the page as well, so a hand counts more.
    const letGo = () => {
      pinned.current = false;
    };
    const onWheel = (event: WheelEvent) => event.deltaY < 0 && letGo();
    const onKey = (event: KeyboardEvent) => UPWARDS.has(event.key) && letGo();
    const onPress = (event: PointerEvent) => event.target === page && letGo();
    const watch = new ResizeObserver(() => {
      if (pinned.current) page.scrollTop = page.scrollHeight;
      look();
    });
    const stop = new AbortController();
    const quietly = { passive: true, signal: stop.signal };
    page.addEventListener("scroll", look, quietly);
    page.addEventListener("wheel", onWheel, quietly);
    page.addEventListener("touchmove", letGo, quietly);
    page.addEventListener("keydown", onKey, quietly);
    page.addEventListener("pointerdown", onPress, quietly);
    watch.observe(element);
    pinned.current = live;
    return () => {
      stop.abort();
      watch.disconnect();
    };
  }, [list, ready, live]);
  const toEnd = useCallback(() => {
    const page = scroller();
    if (!page) return;
    pinned.current = true;
    page.scrollTop = page.scrollHeight;
  }, []);
  return { away: away || (ready && !whole), toEnd };
}
