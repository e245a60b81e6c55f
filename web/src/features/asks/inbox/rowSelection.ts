import { useCallback, useState } from "react";
import type { Ask } from "@/api/types";

// What these ask for cannot be approved or denied.
const ANSWERED = new Set(["question", "clarification"]);

const NEEDS_ANSWER = "Questions need an answer, not an approval";

type Selectable = Pick<Ask, "id" | "kind" | "apart">;

/** Why it cannot be approved or denied together with others. */
export const whyApart = ({ kind, apart }: Omit<Selectable, "id">): string | undefined =>
  apart ?? (ANSWERED.has(kind) ? NEEDS_ANSWER : undefined);

export const isDecidedTogether = (ask: Omit<Selectable, "id">): boolean => whyApart(ask) === undefined;

type Ids = ReadonlySet<string>;

/** The rows that are ticked. Only listed ones count: what was settled elsewhere is not decided again. */
export function useSelection(asks: Selectable[]) {
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
