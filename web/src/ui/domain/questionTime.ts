/** How long a question may wait, as people choose it; an agent that asks for a time of its own gets that. */
export const QUESTION_TIMES: { value: string; label: string }[] = [
  { value: "none", label: "As long as it takes" },
  { value: "30", label: "30 minutes" },
  { value: "60", label: "1 hour" },
  { value: "480", label: "8 hours" },
  { value: "1440", label: "1 day" },
  { value: "10080", label: "1 week" },
];

/** As the API takes it: nothing, `none`, or minutes. */
export function waitingMinutes(chosen: string): number | "none" | null {
  if (chosen === "") return null;
  return chosen === "none" ? "none" : Number(chosen);
}

/** The choices, with one that was set elsewhere, and without one that the words for no choice say already. */
export function timesWith(chosen: string, otherwise: string): typeof QUESTION_TIMES {
  const times = QUESTION_TIMES.filter(({ value, label }) => value === chosen || !otherwise.startsWith(label));
  if (chosen === "" || times.some(({ value }) => value === chosen)) return times;
  return [...times, { value: chosen, label: `${chosen} minutes` }];
}
