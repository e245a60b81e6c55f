import type { Ask } from "@/api/types";

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
      return { id: String(index), label: String(option), value: option };
    const { id, label, value, description } = option as Partial<Option>;
    return {
      id: String(id ?? index),
      label: String(label ?? value ?? id),
      value: value ?? id ?? label,
      description: description || undefined,
    };
  });
}
