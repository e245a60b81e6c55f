import type { ReactNode } from "react";
import classes from "./tag.module.css";

export type Tone = "calm" | "good" | "info" | "warn" | "hot" | "bad";

interface TagProps {
  tone?: Tone;
  /** Something is happening right now. */
  live?: boolean;
  /** Without the dot. */
  plain?: boolean;
  title?: string;
  children: ReactNode;
}

export function Tag({ tone = "calm", live, plain, title, children }: TagProps) {
  const names = [classes.tag, classes[tone], live && classes.live, plain && classes.plain];
  return (
    <span className={names.filter(Boolean).join(" ")} title={title}>
      {children}
    </span>
  );
}
