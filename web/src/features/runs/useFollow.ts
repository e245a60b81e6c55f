import { useEffect, useRef } from "react";

const NEAR = 160;

/** Keep the end of the thread in view while it grows, unless the reader has scrolled away from it. */
export function useFollow(length: number): void {
  const before = useRef(length);
  useEffect(() => {
    const page = document.getElementById("main");
    const grew = length > before.current && before.current > 0;
    before.current = length;
    if (page && grew && page.scrollHeight - page.scrollTop - page.clientHeight < NEAR + page.clientHeight / 2)
      page.scrollTo({ top: page.scrollHeight, behavior: "smooth" });
  }, [length]);
}
