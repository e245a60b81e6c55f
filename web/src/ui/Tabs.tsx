import { type ReactNode, useEffect, useRef, useState } from "react";
import page from "./page.module.css";

interface TabsProps {
  label: string;
  /** Which of them is shown. */
  shown: string;
  children: ReactNode;
}

/** The parts of a page, as links. Where they do not fit, the one that is shown is in sight and the rest fades out. */
export function Tabs({ label, shown, children }: TabsProps) {
  const place = useRef<HTMLElement>(null);
  const [more, setMore] = useState(false);
  const look = () => {
    const { scrollWidth = 0, scrollLeft = 0, clientWidth = 0 } = place.current ?? {};
    setMore(scrollWidth - scrollLeft - clientWidth > 8);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another one to bring into sight
  useEffect(() => {
    place.current?.querySelector('[data-status="active"]')?.scrollIntoView({ inline: "center", block: "nearest" });
    look();
  }, [shown]);
  useEffect(() => {
    window.addEventListener("resize", look);
    return () => window.removeEventListener("resize", look);
  });
  return (
    <nav ref={place} className={page.tabs} aria-label={label} data-more={more || undefined} onScroll={look}>
      {children}
    </nav>
  );
}
