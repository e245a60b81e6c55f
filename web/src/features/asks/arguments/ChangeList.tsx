import { useMemo } from "react";
import type { Change } from "@/api/types";
import { diffLines, type Line } from "@/ui/text/lineDiff";
import { useShowMore } from "@/ui/text/ShowMore";
import { valueText } from "@/ui/values/valueText";
import classes from "../ask.module.css";

const FIRST_CHARACTERS = 20_000;

/** A list of changes to arguments; texts are compared line by line. */
export function ChangeList({ changes }: { changes: Change[] }) {
  return (
    <div className={classes.diff}>
      {changes.map((change) => (
        <OneChange key={change.path} {...change} />
      ))}
    </div>
  );
}

function OneChange({ path, change, original, modified }: Change) {
  const lines = useMemo(() => linesOf({ path, change, original, modified }), [path, change, original, modified]);
  return (
    <div className={classes.change}>
      <code>{path || "arguments"}</code> <span className="dim">{change}</span>
      <DiffLines lines={lines} />
    </div>
  );
}

/** Two texts of any size, compared line by line. */
export function TextChanges({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  return (
    <div className={classes.diff}>
      <DiffLines lines={lines} />
    </div>
  );
}

/** Lines that are the same, gone or new. */
export function DiffLines({ lines }: { lines: Line[] }) {
  const total = useMemo(() => lines.reduce((sum, { text }) => sum + text.length + 1, 0), [lines]);
  const { shown, more } = useShowMore(total, FIRST_CHARACTERS, "characters");
  return (
    <>
      <pre className={classes.lines}>
        {folded(linesWithin(lines, shown)).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <span key={index} className={classes[line.change]}>
            {MARKS[line.change]} {line.empty ? <mark className="unseen">{line.empty} empty lines</mark> : line.text}
            {"\n"}
          </span>
        ))}
      </pre>
      {more}
    </>
  );
}

const MARKS: Record<Line["change"], string> = { same: " ", added: "+", removed: "−", gap: "⋯" };

/** The first lines up to so many characters, of which the last may be cut: one line can be as long as a file. */
export function linesWithin(lines: Line[], characters: number): Line[] {
  const within: Line[] = [];
  let left = characters;
  for (const line of lines) {
    if (left <= 0) break;
    within.push(line.text.length <= left ? line : { ...line, text: line.text.slice(0, left) });
    left -= line.text.length + 1;
  }
  return within;
}

const MOST_EMPTY = 2;

/** Many empty lines would push what follows them out of sight: they are counted. */
export function folded(lines: Line[]): (Line & { empty?: number })[] {
  const short: (Line & { empty?: number })[] = [];
  for (let from = 0; from < lines.length; ) {
    const { change } = lines[from] as Line;
    let to = from;
    while (lines[to]?.change === change && change !== "gap" && lines[to]?.text.trim() === "") to++;
    if (to - from > MOST_EMPTY) short.push({ change, text: "", empty: to - from });
    else to = from + 1;
    if (to - from === 1) short.push(lines[from] as Line);
    from = to;
  }
  return short;
}

export function linesOf({ change, original, modified }: Change): Line[] {
  if (change === "added") return [{ change: "added", text: valueText(modified, 2) }];
  if (change === "removed") return [{ change: "removed", text: valueText(original, 2) }];
  return diffLines(valueText(original, 2), valueText(modified, 2));
}
