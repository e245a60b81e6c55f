import type { Deliverable } from "@/api/types";

// What people read, rather than count with or look something up in.
const READ = ["markdown", "html", "pdf"];

/** Of what a run handed over, what to read first: the last text, or else the last of all. */
export function mainOf<T extends Pick<Deliverable, "type" | "status" | "created_at">>(items: T[]): T | undefined {
  const kept = items
    .filter(({ status }) => status !== "archived")
    .sort((left, right) => right.created_at.localeCompare(left.created_at));
  return kept.find(({ type }) => READ.includes(type)) ?? kept[0];
}

const FRESH_MS = 30 * 60_000;

/** Whether it was handed over a moment ago, so that whoever decided wants to see it. */
export const isFresh = ({ created_at }: Pick<Deliverable, "created_at">, now: number): boolean =>
  now - Date.parse(created_at) < FRESH_MS;
