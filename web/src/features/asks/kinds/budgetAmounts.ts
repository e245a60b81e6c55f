type Unit = "credits" | "hours" | "iterations";
export type Wanted = Partial<Record<Unit, number>>;

export const UNITS: { name: Unit; label: string; most: number; whole: boolean }[] = [
  { name: "credits", label: "Credits to add", most: 1_000_000, whole: false },
  { name: "hours", label: "Hours to add", most: 24, whole: false },
  { name: "iterations", label: "Steps to add", most: 100_000, whole: true },
];

interface Budget {
  changed: boolean;
  value: Wanted;
  /** Why it cannot be sent, by unit; for all of it under `any`. */
  problems: Partial<Record<Unit | "any", string>>;
}

/** The amounts to add. Nothing and zero are left out; at least one must remain. */
export function budgetToSend(wanted: Wanted, amounts: Wanted): Budget {
  const value: Wanted = {};
  const problems: Budget["problems"] = {};
  for (const { name, most, whole } of UNITS) {
    const amount = amounts[name];
    if (amount === undefined || amount === 0) continue;
    value[name] = amount;
    if (!(amount > 0)) problems[name] = "must be more than 0";
    else if (amount > most) problems[name] = `at most ${most.toLocaleString("en")}`;
    else if (whole && !Number.isInteger(amount)) problems[name] = "must be a whole number";
  }
  if (Object.keys(value).length === 0) problems.any = "Add something, or deny it.";
  return { changed: UNITS.some(({ name }) => value[name] !== wanted[name]), value, problems };
}
