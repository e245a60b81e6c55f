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

/** The choices, with one that was set elsewhere. */
export function timesWith(chosen: string): typeof QUESTION_TIMES {
  if (chosen === "" || QUESTION_TIMES.some(({ value }) => value === chosen)) return QUESTION_TIMES;
  return [...QUESTION_TIMES, { value: chosen, label: `${chosen} minutes` }];
}
