import { expect, test } from "vitest";
import type { Deliverable } from "@/api/types";
import { byRun } from "./byRun";

const made = (id: string, run: string) => ({ id, run_id: run, run_title: `Run ${run}`, agent: "a" }) as Deliverable;

test("deliverables stand under their runs, and a run that waits comes first", () => {
  const items = [made("1", "new"), made("2", "old"), made("3", "new"), made("4", "waits")];
  const groups = byRun(items, new Set(["waits"]));
  expect(groups.map(({ runId, items }) => [runId, items.map(({ id }) => id)])).toEqual([
    ["waits", ["4"]],
    ["new", ["1", "3"]],
    ["old", ["2"]],
  ]);
  expect(groups.map(({ waits }) => waits)).toEqual([true, false, false]);
});
