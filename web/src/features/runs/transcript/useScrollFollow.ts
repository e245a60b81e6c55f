import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const NEAR = 120;
const FAR = 600;
const UPWARDS = new Set(["ArrowUp", "PageUp", "Home"]);

/** What scrolls: the shell's main part. */
export const scroller = (): HTMLElement | null => document.getElementById("main");

const below = (page: HTMLElement): number => page.scrollHeight - page.scrollTop - page.clientHeight;

const openAsk = (within: ParentNode): HTMLElement | null => within.querySelector<HTMLElement>("[data-ask]");

export function showOpenAsk(): void {
  openAsk(document)?.scrollIntoView({ behavior: "smooth", block: "start" });
}

/** The place to be: the top of what is asked, else the end. */
function goTo(page: HTMLElement, thread: HTMLElement): void {
  const ask = openAsk(thread);
  if (ask) ask.scrollIntoView({ block: "start" });
  else page.scrollTop = page.scrollHeight;
}

function isAway(page: HTMLElement, ask: HTMLElement | null): boolean {
  if (!ask) return below(page) > FAR;
  const [seen, window] = [ask.getBoundingClientRect(), page.getBoundingClientRect()];
  return seen.top > window.bottom - NEAR || seen.bottom < window.top + NEAR;
}

interface Thread {
  ready: boolean;
  live: boolean;
  /** Its end is loaded. Before that, the end of what is there is not the place to stay. */
  whole: boolean;
}

/** Keep the open ask, or the end of the thread, in view while it grows, unless the reader goes elsewhere. */
export function useScrollFollow(list: RefObject<HTMLElement | null>, { ready, live, whole }: Thread) {
  const pinned = useRef(false);
  const wasLive = useRef(live);
  const all = useRef(whole);
  all.current = whole;
  const [away, setAway] = useState(false);
  useEffect(() => {
    const page = scroller();
    const element = list.current;
    if (!ready || !page || !element) return;
    let top = page.scrollTop;
    const look = () => {
      const ask = openAsk(element);
      // What is over is read from its top: a page that is still short is no end that somebody went to.
      if (live && !ask && below(page) < NEAR && all.current) pinned.current = true;
      // A jump up by more than a screen is somebody's wish; rows that are measured move it by less.
      else if (page.scrollTop < top - page.clientHeight) pinned.current = false;
      top = page.scrollTop;
      setAway(isAway(page, ask));
    };
    // Rows that turn out larger or smaller move the page as well, so a hand counts more.
    const letGo = () => {
      pinned.current = false;
    };
    // Whoever has begun to read or to answer what is asked is not taken back to its first line.
    const onHand = (elsewhere: boolean) => (elsewhere || openAsk(element)) && letGo();
    const onWheel = (event: WheelEvent) => onHand(event.deltaY < 0);
    const onKey = (event: KeyboardEvent) => onHand(UPWARDS.has(event.key));
    const onPress = (event: PointerEvent) => onHand(event.target === page);
    const watch = new ResizeObserver(() => {
      if (pinned.current) {
        goTo(page, element);
        top = page.scrollTop;
      }
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
    // What came of it stands at the top.
    if (wasLive.current && !live && pinned.current) page.scrollTop = 0;
    wasLive.current = live;
    pinned.current = live;
    return () => {
      stop.abort();
      watch.disconnect();
    };
  }, [list, ready, live]);
  const follow = useCallback(() => {
    const page = scroller();
    if (!page || !list.current) return;
    pinned.current = true;
    goTo(page, list.current);
  }, [list]);
  const letGo = useCallback(() => {
    pinned.current = false;
  }, []);
  return { away: away || (ready && !whole), follow, letGo };
}
