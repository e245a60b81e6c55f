import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { useNow } from "@/ui/clock";
import { Icon } from "@/ui/icons";
import { Tag } from "@/ui/Tag";
import { duration, since } from "@/ui/time";
import { Meter } from "./Meter";
import { RunActions } from "./RunActions";
import classes from "./run.module.css";
import { StatusTag } from "./StatusTag";
import { AUTONOMY, errorWords, hasEnded, reasonWords } from "./words";

export function RunHeader({ run }: { run: Run }) {
  const reason = reasonWords(run);
  const error = errorWords(run);
  const autonomy = AUTONOMY[run.autonomy];
  return (
    <header className={classes.head}>
      <div className="grow">
        <h1>{run.title}</h1>
        <div className={classes.facts}>
          <span role="status" aria-label="Status">
            <StatusTag run={run} />
          </span>
          {reason && <span>{reason}</span>}
          <Link to="/agents/$slug" params={{ slug: run.agent }} className={classes.agent}>
            <Icon name="bot" size={15} /> {run.agent_name}
          </Link>
          <Tag plain title={autonomy.means}>
            {autonomy.label}
          </Tag>
          {run.mode === "plan" && (
            <Tag plain title="It plans first, and does what was approved">
              Plan first
            </Tag>
          )}
          {run.parent_id && (
            <Link to="/runs/$runId" params={{ runId: run.parent_id }}>
              The run before
            </Link>
          )}
        </div>
        <Meters run={run} />
        {error && <p className={classes.error}>{error}</p>}
      </div>
      <div className="row wrap">
        {run.open_asks > 0 && (
          <Button rightSection={<Icon name="arrow-down" />} onClick={showFirstAsk}>
            Decide
          </Button>
        )}
        <RunActions run={run} />
      </div>
    </header>
  );
}

/** What it has used of what it may use. */
function Meters({ run }: { run: Run }) {
  const { max_cost_credits: credits = 0, max_iterations: steps = 0, max_duration_hours: hours = 0 } = run.limits;
  const seconds = useElapsed(run);
  return (
    <dl className={classes.meters}>
      <Meter
        name="Time"
        used={seconds}
        most={run.limits.waiting_counts ? hours * 3600 : 0}
        words={run.started_at ? duration(seconds) : "not started"}
        of={hours > 0 ? `of ${duration(hours * 3600)}${run.limits.waiting_counts ? "" : " working time"}` : ""}
      />
      <Meter name="Steps" used={run.iterations} most={steps} words={String(run.iterations)} of={`of ${steps}`} />
      <Meter
        name="Cost"
        used={run.cost_credits}
        most={credits}
        words={run.cost_credits.toLocaleString("en", { maximumFractionDigits: 1 })}
        of={`${credits > 0 ? `of ${credits.toLocaleString("en")} ` : ""}credits${run.cost_incomplete ? ", some prices unknown" : ""}`}
      />
    </dl>
  );
}

function useElapsed(run: Run): number {
  const now = useNow();
  if (!run.started_at) return 0;
  return hasEnded(run) ? run.duration_seconds : since(run.started_at, now);
}

function showFirstAsk(): void {
  document.querySelector("[data-ask]")?.scrollIntoView({ behavior: "smooth", block: "start" });
}
