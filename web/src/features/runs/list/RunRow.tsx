import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { useWorkflowNames } from "@/api/workflows/workflowNames";
import { RunStatusTag } from "@/ui/domain/runs/RunStatusTag";
import { doingWords } from "@/ui/domain/runs/runSummary";
import { creditWords, elapsedWords, useTimeUsed } from "@/ui/domain/runs/runUsage";
import { Icon, type IconName } from "@/ui/icons";
import { Tag } from "@/ui/Tag";
import { Ago } from "@/ui/time/clock";
import classes from "../runs.module.css";

const WHO: Record<string, IconName> = { workflow: "layers", tool: "terminal" };

/** A run in a list: what it is, what it does, how it stands, what it took. */
export function RunRow({ run }: { run: Run }) {
  const doing = doingWords(run);
  const seconds = useTimeUsed(run);
  const workflowNamed = useWorkflowNames();
  return (
    <Link to="/runs/$runId" params={{ runId: run.id }} className={classes.run}>
      <span className={classes.what}>
        <span className={`cut ${classes.name}`}>{run.title}</span>
        {doing !== run.title && <span className={`cut ${classes.step}`}>{doing}</span>}
      </span>
      <span className={classes.who}>
        <Icon name={WHO[run.kind] ?? "bot"} size={15} />{" "}
        <span className="cut">{run.kind === "workflow" ? workflowNamed(run.workflow ?? "") : run.agent_name}</span>
      </span>
      <span className={classes.status}>
        {run.test && <Tag tone="info">Test</Tag>}
        <RunStatusTag run={run} />
      </span>
      <span className={`num ${classes.took}`}>{run.started_at ? elapsedWords(run, seconds) : "–"}</span>
      <span className={`num ${classes.took}`}>{run.cost_credits > 0 ? creditWords(run) : "–"}</span>
      <span className={classes.when}>
        <Ago at={run.ended_at ?? run.created_at} />
      </span>
    </Link>
  );
}

/** What stands under what, in a list of its own. */
export function ColumnNames() {
  return (
    <div className={`${classes.run} ${classes.names}`}>
      <span>Run</span>
      <span>Agent</span>
      <span>Status</span>
      <span className={classes.took} title="Without the time it waited for people">
        Time
      </span>
      <span className={classes.took}>Credits</span>
      <span className={classes.when}>When</span>
    </div>
  );
}
