import type { IconName } from "@/ui/icons";

export interface Command {
  id: string;
  label: string;
  /** What it belongs to, at the right. */
  hint?: string;
  /** Other words that people type for it. */
  also?: string;
  icon: IconName;
  act: () => void;
}

/** The emergency stop: what it is called now, and what opens its dialog. */
export type PauseCommand = Pick<Command, "label" | "act">;

/** It is found by whatever somebody types in a hurry. */
export const pauseCommand = (pauseAll: PauseCommand): Command => ({
  id: "pause-all",
  ...pauseAll,
  also: "stop halt emergency all runs",
  hint: "All runs",
  icon: "pause",
});

/** The commands that have every word of what was typed, the ones that begin with it first. */
export function matching(commands: Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const has = ({ label, hint = "", also = "" }: Command) => {
    const text = `${label} ${hint} ${also}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const begins = ({ label }: Command) => Number(!label.toLowerCase().startsWith(words[0] ?? ""));
  return commands.filter(has).sort((one, other) => begins(one) - begins(other));
}
