import type { Change } from "@/api/types";
import { diffLines, type Line } from "@/ui/lines";
import classes from "./ask.module.css";

/** A list of changes to arguments; texts are compared line by line. */
export function Changes({ changes }: { changes: Change[] }) {
  return (
    <div className={classes.diff}>
      {changes.map((change) => (
        <div key={change.path} className={classes.change}>
          <code>{change.path || "arguments"}</code> <span className="dim">{change.change}</span>
          <Lines lines={linesOf(change)} />
        </div>
      ))}
    </div>
  );
}

export function Lines({ lines }: { lines: Line[] }) {
  return (
    <pre className={classes.lines}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <span key={index} className={classes[line.change]}>
          {MARKS[line.change]} {line.text}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

const MARKS: Record<Line["change"], string> = { same: " ", added: "+", removed: "−", gap: "⋯" };

export function linesOf({ change, original, modified }: Change): Line[] {
  if (change === "added") return [{ change: "added", text: plain(modified) }];
  if (change === "removed") return [{ change: "removed", text: plain(original) }];
  return diffLines(plain(original), plain(modified));
}

const plain = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));
