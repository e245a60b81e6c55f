import type { Line } from "@/ui/text/lineDiff";

/** A unified diff as lines to show; its head only names the file. */
export function linesOfDiff(diff: string): Line[] {
  const lines: Line[] = [];
  for (const line of diff.split("\n").slice(2)) {
    const text = line.slice(1);
    if (line.startsWith("@@")) {
      if (lines.length > 0) lines.push({ change: "gap", text: "" });
    } else if (line.startsWith("+")) lines.push({ change: "added", text });
    else if (line.startsWith("-")) lines.push({ change: "removed", text });
    else lines.push({ change: "same", text });
  }
  return lines;
}
