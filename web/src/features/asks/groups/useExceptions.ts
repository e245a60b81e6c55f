import { useState } from "react";
import type { Ask } from "@/api/types";

/** Which rows are left out of the decision, and the row that the keyboard is at. */
export function useExceptions(rows: Pick<Ask, "id">[]) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState<string>();
  const ids = rows.map(({ id }) => id);
  const listed = new Set(ids);
  const cursor = at !== undefined && listed.has(at) ? at : ids[0];
  return {
    cursor,
    // What was settled elsewhere is no exception any more.
    exceptions: new Set([...ticked].filter((id) => listed.has(id))) as ReadonlySet<string>,
    point: setAt,
    step: (by: 1 | -1) => setAt(ids[Math.min(Math.max(ids.indexOf(cursor ?? "") + by, 0), ids.length - 1)]),
    toggle: (id: string) =>
      setTicked((before) => {
        const after = new Set(before);
        if (!after.delete(id)) after.add(id);
        return after;
      }),
  };
}
