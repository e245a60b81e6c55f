import type { Deliverable } from "@/api/types";

export interface RunGroup {
  runId: string;
  title: string;
  agent: string;
  waits: boolean;
  items: Deliverable[];
}

/** Deliverables under the runs that made them: those that wait for somebody first, else as the list came. */
export function byRun(items: Deliverable[], waiting: ReadonlySet<string>): RunGroup[] {
  const groups = new Map<string, RunGroup>();
  for (const item of items) {
    const known = groups.get(item.run_id);
    if (known) known.items.push(item);
    else
      groups.set(item.run_id, {
        runId: item.run_id,
        title: item.run_title ?? "A run",
        agent: item.agent_name ?? item.agent,
        waits: waiting.has(item.run_id),
        items: [item],
      });
  }
  return [...groups.values()].sort((left, right) => Number(right.waits) - Number(left.waits));
}
