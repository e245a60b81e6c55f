import type { Ask } from "@/api/types";
import { optionsOf } from "@/ui/domain/askOptions";

const MOST = 4;
const LONGEST = 40;

interface Choice {
  label: string;
  value: unknown;
}

/** What a question can be answered with at a glance; nothing where there is more to read before. */
export function quickChoices(ask: Ask): Choice[] {
  const isQuestion = ask.kind === "question" || ask.kind === "clarification";
  if (!isQuestion || ask.context) return [];
  const options = optionsOf(ask);
  if (ask.response_type === "boolean") {
    const labels = new Map(options.map(({ value, label }) => [value, label]));
    return [true, false].map((value) => ({ label: labels.get(value) ?? (value ? "Yes" : "No"), value }));
  }
  const fits = ({ label, description }: (typeof options)[number]) => label.length <= LONGEST && !description;
  const distinct = new Set(options.map(({ label }) => label)).size === options.length;
  const simple = ask.response_type === "choice" && options.length <= MOST && distinct && options.every(fits);
  return simple ? options.map(({ label, value }) => ({ label, value })) : [];
}
