import type { Values } from "@/api/types";

type Field = [string, unknown];
type Recipient = { address?: unknown; outside?: unknown };

/** What goes out beside the address, which stands in the summary, and where the answer is kept. */
export function requestFields({ headers, body, body_cut, saves }: Values): Field[] {
  const fields: Field[] = [
    ["Headers", headers],
    [body_cut ? "Body, its beginning" : "Body", body],
    ["Its answer", (saves as Values | undefined)?.text],
  ];
  return fields.filter(([, value]) => value && Object.keys(value).length > 0);
}

/** A mail as its reader sees it; whoever is no member of the workspace is marked. */
export function mailFields({ from, to, cc, reply_to, subject, body, body_cut }: Values): Field[] {
  const fields: Field[] = [
    ["From", from],
    ["To", people(to)],
    ["Cc", people(cc)],
    ["Replies to", people(reply_to ? [reply_to] : [])],
    ["Subject", subject],
    [body_cut ? "Text, its beginning" : "Text", body],
  ];
  return fields.filter(([, value]) => value);
}

/** The first rows that a statement touches, and what becomes of them. */
export function rowFields({ statement, columns, rows, changed, after }: Values): Field[] {
  const names = texts(columns);
  const becomes = texts(changed).map((name) => `${name}, new`);
  const table = cells(rows).map((row, place) => ({
    ...named(names, row),
    ...named(becomes, cells(after)[place] ?? []),
  }));
  const shown: Field[] = table.length > 0 ? [["The first rows", table]] : [];
  return [...shown, ["Statement", statement]];
}

function people(given: unknown): string {
  const all = Array.isArray(given) ? (given as Recipient[]) : [];
  return all
    .map(({ address, outside }) => (outside ? `${address} (outside of the workspace)` : String(address)))
    .join(", ");
}

function texts(given: unknown): string[] {
  return Array.isArray(given) ? given.map(String) : [];
}

function cells(given: unknown): unknown[][] {
  return Array.isArray(given) ? given.filter(Array.isArray) : [];
}

function named(names: string[], values: unknown[]): Values {
  return Object.fromEntries(names.map((name, place) => [name, values[place]]));
}
