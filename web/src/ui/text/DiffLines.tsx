import { useMemo } from "react";
import classes from "./diffLines.module.css";
import type { Line } from "./lineDiff";
import { useShowMore } from "./ShowMore";

const FIRST_CHARACTERS = 20_000;

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
