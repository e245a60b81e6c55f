import { isExact, toBigInt } from "@/api/exactIntegers";
import type { Ask, Values } from "@/api/types";
import { askOrigin } from "@/ui/domain/askOrigin";
import { valueText } from "@/ui/values/valueText";

/** One thing that is not the same in all asks of a group. */
export interface Column {
  key: string;
  label: string;
  value: (ask: Ask) => unknown;
}

export interface Shape {
  /** What all of them have in common. */
  constant: [string, unknown][];
  columns: Column[];
}

/** What alike asks have in common, and a column for everything in which they differ. */
export function shapeOf(asks: Ask[]): Shape {
  const flat = new Map(asks.map((ask) => [ask.id, flatten(ask.arguments ?? {})]));
  const paths = [...new Set([...flat.values()].flatMap((values) => [...values.keys()]))];
  const all = paths.map(
    (path): Column => ({ key: `arguments.${path}`, label: path, value: ({ id }) => flat.get(id)?.get(path) }),
  );
  const differs = ({ value }: Column) => new Set(asks.map((ask) => compared(value(ask)))).size > 1;
  const first = asks[0];
  return {
    constant: first ? all.filter((column) => !differs(column)).map(({ label, value }) => [label, value(first)]) : [],
    columns: [...all.filter(differs), ...ABOUT.filter(differs)],
  };
}

const ABOUT: Column[] = [
  { key: "agent", label: "Agent", value: (ask) => askOrigin(ask) },
  { key: "context", label: "Context", value: ({ context }) => context ?? undefined },
  { key: "run", label: "Run", value: ({ run_title }) => run_title },
];

/** Objects by their fields, `order.total`; lists stay whole. A name with a dot is quoted, so that no two are one. */
function flatten(values: Values, before = "", into = new Map<string, unknown>()): Map<string, unknown> {
  for (const [name, value] of Object.entries(values)) {
    const path = `${before}${/[."]/.test(name) || name === "" ? JSON.stringify(name) : name}`;
    if (isFields(value)) flatten(value, `${path}.`, into);
    else into.set(path, value);
  }
  return into;
}

const isFields = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;

const compared = (value: unknown): string => (value === undefined ? "" : `${typeof value}${valueText(value)}`);

export interface Order {
  key: string;
  down: boolean;
}

/** By one column; numbers by their size. What has no value comes last. */
export function sorted(asks: Ask[], columns: Column[], order: Order | null): Ask[] {
  const column = columns.find(({ key }) => key === order?.key);
  if (!column || !order) return asks;
  const sign = order.down ? -1 : 1;
  return [...asks].sort((one, other) => {
    const [a, b] = [column.value(one), column.value(other)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sign * compare(a, b);
  });
}

function compare(a: unknown, b: unknown): number {
  const [left, right] = [numeric(a), numeric(b)];
  if (left !== null && right !== null) return left < right ? -1 : Number(left > right);
  return valueText(a).localeCompare(valueText(b), "en", { numeric: true });
}

const numeric = (value: unknown): number | bigint | null =>
  typeof value === "number" ? value : isExact(value) ? toBigInt(value) : null;

/** Largest first where it is about numbers: what stands out is at the top; the second time the other way round. */
export function nextOrder(order: Order | null, { key, value }: Column, asks: Ask[]): Order {
  if (order?.key === key) return { key, down: !order.down };
  return { key, down: asks.every((ask) => value(ask) === undefined || numeric(value(ask)) !== null) };
}
