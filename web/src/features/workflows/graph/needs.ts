import type { WorkflowStep } from "@/api/workflows/workflows";

/** What each step waits for; a step that says nothing waits for the one before it. */
export function needsOf(steps: WorkflowStep[]): Map<string, string[]> {
  return new Map(steps.map(({ id, needs }, at) => [id, needs ?? defaultNeeds(steps[at - 1]?.id)]));
}

export const defaultNeeds = (before: string | undefined): string[] => (before === undefined ? [] : [before]);

/** All that must be done before a step, near or far. */
export function stepsBefore(steps: WorkflowStep[], id: string): Set<string> {
  const needs = needsOf(steps);
  const found = new Set<string>();
  const next = [...(needs.get(id) ?? [])];
  for (let each = next.pop(); each !== undefined; each = next.pop())
    if (!found.has(each)) {
      found.add(each);
      next.push(...(needs.get(each) ?? []));
    }
  return found;
}

/** Whether `to` may wait for `from`: not for itself, and not in a circle. */
export const mayConnect = (steps: WorkflowStep[], from: string, to: string): boolean =>
  from !== to && !stepsBefore(steps, from).has(to) && !(needsOf(steps).get(to) ?? []).includes(from);
