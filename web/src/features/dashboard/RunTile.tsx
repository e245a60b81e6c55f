import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { RunStatusTag } from "@/ui/domain/runs/RunStatusTag";
import { doingWords } from "@/ui/domain/runs/runSummary";
import { creditWords, elapsedWords, useTimeUsed } from "@/ui/domain/runs/runUsage";
import { Icon } from "@/ui/icons";
import classes from "./dashboard.module.css";

/** A run at work: what it does right now, and how far it is. */
export function RunTile({ run }: { run: Run }) {
  const seconds = useTimeUsed(run);
  const share = run.progress?.percentage ?? 0;
  return (
    <Link to="/runs/$runId" params={{ runId: run.id }} className={`card ${classes.tile}`}>
      <span className="row">
        <span className={`cut grow ${classes.name}`}>{run.title}</span>
        <RunStatusTag run={run} />
      </span>
      <span className="cut small dim">{doingWords(run)}</span>
      <span
        className={classes.bar}
        role="progressbar"
        aria-label={`Progress of ${run.title}`}
        aria-valuenow={Math.round(share)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <span style={{ width: `${share}%` }} />
      </span>
      <span className="row tiny dim">
        <Icon name="bot" size={14} /> <span className="cut grow">{run.agent_name}</span>
        <span className="num">{elapsedWords(run, seconds)}</span>
        <span className="num">{creditWords(run)} credits</span>
      </span>
    </Link>
  );
}
