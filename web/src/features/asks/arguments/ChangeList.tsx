import { useMemo } from "react";
import type { Change } from "@/api/types";
import { DiffLines } from "@/ui/text/DiffLines";
import { diffLines, type Line } from "@/ui/text/lineDiff";
import { valueText } from "@/ui/values/valueText";
import classes from "../ask.module.css";

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

export function linesOf({ change, original, modified }: Change): Line[] {
  if (change === "added") return [{ change: "added", text: valueText(modified, 2) }];
  if (change === "removed") return [{ change: "removed", text: valueText(original, 2) }];
  return diffLines(valueText(original, 2), valueText(modified, 2));
}
