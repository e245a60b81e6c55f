/** A day so many days from now, as a date field writes it. */
export function dayAfter(days: number, now = new Date()): string {
  const at = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** The moment at which a chosen day is over, here. */
export const endOf = (date: string): string => new Date(`${date}T23:59:59`).toISOString();

/** The moment at which a chosen day begins; now, if none is chosen. */
export const startOf = (date: string): string | null => (date ? new Date(`${date}T00:00:00`).toISOString() : null);
