import { useCallback, useState } from "react";
import type { Ask } from "@/api/types";

// What these ask for cannot be said for several of them at once.
const ANSWERED = new Set(["question", "clarification", "recovery"]);

export const NEEDS_ANSWER = "Questions need an answer, not an approval";

/** Whether it can be approved or denied together with others. */
export const isDecidedTogether = ({ kind }: Pick<Ask, "kind">): boolean => !ANSWERED.has(kind);

type Ids = ReadonlySet<string>;

/** The rows that are ticked. Only listed ones count: what was settled elsewhere is not decided again. */
export function useSelection(asks: Pick<Ask, "id" | "kind">[]) {
  const [ticked, setTicked] = useState<Ids>(new Set());
  const selected = new Set(
    asks
      .filter(isDecidedTogether)
      .map(({ id }) => id)
      .filter((id) => ticked.has(id)),
  );
  // The same function for every row and every time: a row is drawn again only when it changes itself.
  const toggle = useCallback((id: string) => setTicked((before) => toggledIn(before, id)), []);
  return { selected, select: setTicked, toggle };
}

function toggledIn(before: Ids, id: string): Ids {
  const after = new Set(before);
  if (!after.delete(id)) after.add(id);
  return after;
}
