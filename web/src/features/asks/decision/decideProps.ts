import type { ReactNode } from "react";
import type { Ask } from "@/api/types";
import type { Answering } from "./useAnswer";

/** What somebody writes about was decided or changed by others meanwhile. */
export interface Overtaken {
  words: string;
  /** What was written, to take along. */
  text: () => string;
  /** What leaving it is called. */
  leave: string;
  onLeave: () => void;
}

/** What every way of deciding gets. */
export interface DecideProps {
  ask: Ask;
  answering: Answering;
  shortcuts: boolean;
  /** Nobody chose it: it stands where the one before was decided. */
  cameByItself?: boolean;
  /** What stands between the thing to decide and the buttons. */
  children?: ReactNode;
}

export const isOpen = (ask: Ask): boolean => ask.status === "pending";
