import { useMay } from "@/api/roles";
import { RunStatusTag } from "@/ui/domain/runs/RunStatusTag";
import { creditWords, elapsedWords, useTimeUsed } from "@/ui/domain/runs/runUsage";
import { Tag } from "@/ui/Tag";
import { RunActions, type RunActionsProps } from "../actions/RunActions";
import classes from "../run.module.css";

/** The head in one line, for whoever has scrolled it away. */
export function StickyRunHeader(actions: RunActionsProps) {
  const { run } = actions;
  const may = useMay("member");
  const seconds = useTimeUsed(run);
  return (
    <div className={classes.strip}>
      <div className={classes.stripLine}>
        <strong className="cut">{run.title}</strong>
        <span className={classes.stripFacts}>
          {run.test && <Tag tone="info">Test</Tag>}
          <RunStatusTag run={run} />
          <span className="num">{elapsedWords(run, seconds)}</span>
          <span className="num">{creditWords(run)} credits</span>
        </span>
        {may && <RunActions {...actions} size="xs" />}
      </div>
    </div>
  );
}
