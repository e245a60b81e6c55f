import { type RefObject, useEffect, useState } from "react";

export interface Span {
  first: number;
  /** One after the last. */
  end: number;
}

const AROUND = 12;

/** Which rows of a long list are near enough to be seen. */
export function spanOf(top: number, height: number, rowHeight: number, count: number): Span {
  const first = Math.max(0, Math.floor(top / rowHeight) - AROUND);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + AROUND);
  return { first: Math.min(first, Math.max(0, count - 1)), end: Math.max(end, 0) };
}

/** Follow the scrolling of a box whose rows all have one height. */
export function useSpan(box: RefObject<HTMLElement | null>, rowHeight: number, count: number): Span {
  const [place, setPlace] = useState({ top: 0, height: 900 });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      const next = { top: Math.floor(element.scrollTop / rowHeight) * rowHeight, height: element.clientHeight };
      setPlace((last) => (last.top === next.top && last.height === next.height ? last : next));
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [box, rowHeight]);
  return spanOf(place.top, place.height, rowHeight, count);
}
