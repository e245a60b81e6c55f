import type { Values } from "@/api/types";

/** The arguments of a batch with `null` in the place of each call that is left out; nothing when none is. */
export function batchToSend(calls: unknown[], left: ReadonlySet<number>): Values | undefined {
  return left.size === 0 ? undefined : { calls: calls.map((call, index) => (left.has(index) ? null : call)) };
}

/** Which calls were left out of a batch, or nothing when calls were changed as well. */
export function leftIn(calls: unknown[], values: Values | null | undefined): ReadonlySet<number> | null {
  const kept = values?.calls;
  if (!Array.isArray(kept)) return new Set();
  const left = leftOut(calls, kept);
  const same = JSON.stringify(batchToSend(calls, left)?.calls ?? calls) === JSON.stringify(kept);
  return same ? left : null;
}

/** A batch without the changes to its calls: only what was left out stays so. */
export function withoutEdits(calls: unknown[], values: Values | null | undefined): Values | null {
  const kept = values?.calls;
  return (Array.isArray(kept) && batchToSend(calls, leftOut(calls, kept))) || null;
}

const leftOut = (calls: unknown[], kept: unknown[]): ReadonlySet<number> =>
  new Set(calls.flatMap((call, index) => (call !== null && kept[index] === null ? [index] : [])));
