import { commonLines } from "./commonLines";

export interface Line {
  change: "same" | "added" | "removed" | "gap";
  text: string;
}

const CONTEXT = 2;
const MOST_CELLS = 4_000_000;

/** What changed between two texts, line by line, with a little around it. */
export function diffLines(before: string, after: string): Line[] {
  const left = before.split("\n");
  const right = after.split("\n");
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  const middle = compare(left.slice(start, left.length - end), right.slice(start, right.length - end));
  return shorten([...same(left.slice(0, start)), ...middle, ...same(left.slice(left.length - end))]);
}

const same = (lines: string[]): Line[] => lines.map((text) => ({ change: "same", text }));

/** By the lines that both have; texts too large for it are shown as replaced. */
function compare(left: string[], right: string[]): Line[] {
  if (left.length * right.length > MOST_CELLS) return [...marked(left, "removed"), ...marked(right, "added")];
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  for (const [from, to] of commonLines(left, right)) {
    lines.push(...marked(left.slice(row, from), "removed"), ...marked(right.slice(column, to), "added"));
    lines.push(...same(left.slice(from, from + 1)));
    [row, column] = [from + 1, to + 1];
  }
  return [...lines, ...marked(left.slice(row), "removed"), ...marked(right.slice(column), "added")];
}

const marked = (lines: string[], change: Line["change"]): Line[] => lines.map((text) => ({ change, text }));

/** Long stretches without a change become one gap. */
function shorten(lines: Line[]): Line[] {
  const near = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (line.change === "same") continue;
    for (let around = index - CONTEXT; around <= index + CONTEXT; around++) near.add(around);
  }
  const short: Line[] = [];
  for (const [index, line] of lines.entries()) {
    if (near.has(index)) short.push(line);
    else if (short.at(-1)?.change !== "gap") short.push({ change: "gap", text: "" });
  }
  return short;
}
