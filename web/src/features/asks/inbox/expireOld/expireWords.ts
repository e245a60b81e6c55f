export const AGES = [
  { value: "86400", label: "A day" },
  { value: "172800", label: "Two days" },
  { value: "604800", label: "A week" },
  { value: "2592000", label: "30 days" },
];

/** How many would expire, and what that does. */
export function expireWords(old: number | undefined): string {
  if (old === undefined) return "Counting…";
  if (old === 0) return "Nothing has been waiting that long.";
  const many =
    old > 1000 ? `${old.toLocaleString("en")} asks have been waiting longer. The oldest 1,000 expire now.` : null;
  const asks = old === 1 ? "1 ask expires" : `${old} asks expire`;
  return `${many ?? `${asks}, for everyone.`} Each ends as if its time ran out: the default answer is used, the call is denied, or the run ends. This can't be undone.`;
}
