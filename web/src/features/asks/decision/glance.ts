import { formatOf, label } from "@/ui/values/valueFormat";

const MOST = 3;

/** What is decided about, in a line: its short fields, and how many there are besides. */
export function glance(values: Record<string, unknown>): string {
  const short = Object.entries(values).flatMap(([name, value]) => {
    const format = formatOf(value);
    return format.as === "number" || format.as === "word" ? [`${label(name)}: ${format.text}`] : [];
  });
  const shown = short.slice(0, MOST);
  const left = Object.keys(values).length - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join(" · ");
}
