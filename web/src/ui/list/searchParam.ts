/** A word from the address. One that looks like a number comes as one. */
export const textIn = (value: unknown): string | undefined =>
  (typeof value === "string" && value.trim()) || typeof value === "number" ? String(value) : undefined;
