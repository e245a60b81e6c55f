type Unit = "credits" | "hours" | "iterations";
export type Wanted = Partial<Record<Unit, number>>;

export const UNITS: { name: Unit; label: string; most: number; whole: boolean }[] = [
  { name: "credits", label: "Credits to add", most: 1_000_000, whole: false },
  { name: "hours", label: "Hours to add", most: 24, whole: false },
  { name: "iterations", label: "Steps to add", most: 100_000, whole: true },
];

/** The amounts to add. Nothing and zero are left out; at least one must remain. */
export function budgetToSend(wanted: Wanted, amounts: Wanted): { ok: boolean; changed: boolean; value: Wanted } {
  const value: Wanted = {};
  for (const { name } of UNITS) {
    const amount = amounts[name];
    if (amount !== undefined && amount > 0) value[name] = amount;
  }
  const changed = UNITS.some(({ name }) => value[name] !== wanted[name]);
  return { ok: Object.keys(value).length > 0, changed, value };
}
