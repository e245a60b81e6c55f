import { useState } from "react";
import type { Ask } from "@/api/types";
import { putTable, tableOf, useTable } from "../outbox/tableDrafts";

/** Which rows of a group are left out of the decision, and the row that the keyboard is at. */
export function useExceptions(group: string, rows: Pick<Ask, "id">[]) {
  const { left } = useTable(group);
  const [at, setAt] = useState<string>();
  const ids = rows.map(({ id }) => id);
  const listed = new Set(ids);
  const cursor = at !== undefined && listed.has(at) ? at : ids[0];
  return {
    cursor,
    // What was settled elsewhere is no exception any more.
    exceptions: new Set(left.filter((id) => listed.has(id))) as ReadonlySet<string>,
    point: setAt,
    step: (by: 1 | -1) => setAt(ids[Math.min(Math.max(ids.indexOf(cursor ?? "") + by, 0), ids.length - 1)]),
    toggle: (id: string) => {
      const before = tableOf(group).left;
      putTable(group, { left: before.includes(id) ? before.filter((each) => each !== id) : [...before, id] });
    },
  };
}
