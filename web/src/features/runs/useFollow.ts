import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const NEAR = 120;
const FAR = 600;
const UPWARDS = new Set(["ArrowUp", "PageUp", "Home"]);

/** What scrolls: the shell's main part. */
export const scroller = (): HTMLElement | null => document.getElementById("main");

const below = (page: HTMLElement): number => page.scrollHeight - page.scrollTop - page.clientHeight;

/** Keep the end of the thread in view while it grows, unless the reader goes up. */
export function useFollow(list: RefObject<HTMLElement | null>, ready: boolean, live: boolean) {
  const pinned = useRef(false);
  const [away, setAway] = useState(false);
  useEffect(() => {
    const page = scroller();
    const element = list.current;
    if (!ready || !page || !element) return;
    let height = page.scrollHeight;
    const look = () => {
      if (below(page) < NEAR) pinned.current = true;
      else if (below(page) > FAR && page.scrollHeight === height) pinned.current = false;
      height = page.scrollHeight;
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
  return { away, toEnd };
}
