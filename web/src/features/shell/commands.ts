import type { IconName } from "@/ui/icons";

export interface Command {
  id: string;
  label: string;
  /** What it belongs to, at the right. */
  hint?: string;
  icon: IconName;
  act: () => void;
}

/** The commands that have every word of what was typed, the ones that begin with it first. */
export function matching(commands: Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const has = ({ label, hint = "" }: Command) => {
    const text = `${label} ${hint}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const begins = ({ label }: Command) => Number(!label.toLowerCase().startsWith(words[0] ?? ""));
  return commands.filter(has).sort((one, other) => begins(one) - begins(other));
}
