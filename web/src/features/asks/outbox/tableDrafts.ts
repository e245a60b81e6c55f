import { useSyncExternalStore } from "react";

/** What somebody made of a group's table: how it is sorted, and which rows are left out. */
export interface TableDraft {
  order: { key: string; down: boolean } | null;
  left: readonly string[];
}

const UNTOUCHED: TableDraft = { order: null, left: [] };

/** By the group's likeness: going to one row and back, or taking a decision back, changes nothing in the table. */
const tables = new Map<string, TableDraft>();
const listeners = new Set<() => void>();

export const tableOf = (group: string): TableDraft => tables.get(group) ?? UNTOUCHED;

export function putTable(group: string, table: Partial<TableDraft>): void {
  tables.set(group, { ...tableOf(group), ...table });
  for (const listener of listeners) listener();
}

export function dropTables(...groups: string[]): void {
  for (const group of groups.length > 0 ? groups : [...tables.keys()]) tables.delete(group);
  for (const listener of listeners) listener();
}

export const useTable = (group: string): TableDraft => useSyncExternalStore(subscribe, () => tableOf(group));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
