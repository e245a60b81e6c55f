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

/** The longest common subsequence; texts too large for it are shown as replaced. */
function compare(left: string[], right: string[]): Line[] {
  if (left.length * right.length > MOST_CELLS) return [...marked(left, "removed"), ...marked(right, "added")];
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row--)
    for (let column = right.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: Line[] = [];
  let row = 0;
  let column = 0;
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) {
      lines.push({ change: "same", text: left[row] ?? "" });
      row++;
      column++;
    } else if (at(row + 1, column) >= at(row, column + 1)) lines.push({ change: "removed", text: left[row++] ?? "" });
    else lines.push({ change: "added", text: right[column++] ?? "" });
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
