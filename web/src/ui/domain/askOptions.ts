import type { Ask } from "@/api/types";
import { valueText } from "../values/valueText";

export interface Option {
  id: string;
  label: string;
  value: unknown;
  description?: string;
}

/** An ask's choices. Agents may give objects or bare values. */
export function optionsOf({ options }: Pick<Ask, "options">): Option[] {
  return (options ?? []).map((option: unknown, index) => {
    if (option === null || typeof option !== "object")
      return { id: String(index), label: valueText(option), value: option };
    const { id, label, value, description } = option as Partial<Option>;
    return {
      id: String(id ?? index),
      label: valueText(label ?? value ?? id ?? index),
      value: value ?? id ?? label,
      description: description || undefined,
    };
  });
}

/** Whether two JSON values are the same. */
export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The label of an answer, as the person saw it. */
export function answerLabel(ask: Pick<Ask, "options">, value: unknown): string {
  const option = optionsOf(ask).find((item) => same(item.value, value));
  if (option) return option.label;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return valueText(value);
}
