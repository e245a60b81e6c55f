import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode, Ref } from "react";
import type { Run } from "@/api/types";
import { AUTONOMY } from "@/ui/domain/autonomy";
import { RunStatusTag } from "@/ui/domain/runs/RunStatusTag";
import { clarificationWords, errorDetails, errorWords, reasonWords } from "@/ui/domain/runs/runSummary";
import { cachedWords, creditWords, elapsedWords, timeUsed, useElapsed } from "@/ui/domain/runs/runUsage";
import { Icon } from "@/ui/icons";
import { Tag } from "@/ui/Tag";
import { RunActions, type RunActionsProps } from "../actions/RunActions";
import classes from "../run.module.css";
import { UsageMeter } from "./UsageMeter";

interface RunHeaderProps extends RunActionsProps {
  ref: Ref<HTMLElement>;
  /** Scrolled away. */
  away: boolean;
  onDecide: () => void;
}

export function RunHeader({ ref, away, onDecide, ...actions }: RunHeaderProps) {
  const { run } = actions;
  const reason = reasonWords(run);
  const autonomy = AUTONOMY[run.autonomy];
  return (
    <header className={classes.head} ref={ref}>
      <div className="grow">
        <h1>{run.title}</h1>
        <div className={classes.facts}>
          <span role="status" aria-label="Status">
            <RunStatusTag run={run} />
          </span>
          {reason && <span>{reason}</span>}
          {run.agent && (
            <Link to="/agents/$slug" params={{ slug: run.agent }} className={classes.agent}>
              <Icon name="bot" size={15} /> {run.agent_name}
            </Link>
          )}
          {run.test && (
            <Tag tone="info" title="A test: tools that reach outside were not really called">
              Test
            </Tag>
          )}
          {run.kind === "agent" && (
            <Tag plain title={autonomy.description}>
              {autonomy.label}
            </Tag>
          )}
          {run.mode === "plan" && (
            <Tag plain title="It plans first, then does only what was approved">
              Plan first
            </Tag>
          )}
          {run.clarification.exchanges > 0 && <Tag plain>{clarificationWords(run.clarification)}</Tag>}
          {run.project_id && (
            <Link to="/runs" search={{ project: run.project_id }}>
              Project {run.project_id}
            </Link>
          )}
          {run.parent_id && <RunLink id={run.parent_id}>Started by another run</RunLink>}
          {run.continues_id && run.continues_id !== run.retries_id && (
            <RunLink id={run.continues_id}>Previous run</RunLink>
          )}
          {run.retries_id && <RunLink id={run.retries_id}>Previous try</RunLink>}
        </div>
        <Meters run={run} />
        {/* A workflow's steps say where it went wrong. */}
        {run.kind !== "workflow" && <Trouble run={run} />}
      </div>
      <div className="row wrap">
        {run.open_asks > 0 && (
          <Button rightSection={<Icon name="arrow-down" />} onClick={onDecide}>
            Decide
          </Button>
        )}
        <RunActions {...actions} hidden={away} />
      </div>
    </header>
  );
}

function RunLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link to="/runs/$runId" params={{ runId: id }}>
      {children}
    </Link>
  );
}

function Trouble({ run }: { run: Run }) {
  const details = errorDetails(run);
  if (!details) return null;
  return (
    <div className={classes.error}>
      {errorWords(run)}
      <details className={classes.trace}>
        <summary>Details</summary>
        <pre>{details}</pre>
      </details>
    </div>
  );
}

/** What it has used of what it may use. */
function Meters({ run }: { run: Run }) {
  const { max_cost_credits: credits = 0, max_iterations: steps = 0 } = run.limits;
  const { used, most, of } = timeUsed(run, useElapsed(run));
  return (
    <dl className={classes.meters}>
      <UsageMeter name="Time" used={used} most={most} words={elapsedWords(run, used)} of={of} />
      {run.kind === "agent" && (
        <UsageMeter name="Steps" used={run.iterations} most={steps} words={String(run.iterations)} of={`of ${steps}`} />
      )}
      <UsageMeter
        name="Cost"
        used={run.cost_credits}
        most={credits}
        words={creditWords(run)}
        of={`${credits > 0 ? `of ${credits.toLocaleString("en")} credits` : "credits, no limit"}${run.cost_incomplete ? ", some prices unknown" : ""}`}
      />
      {run.tokens.input > 0 && (
        <UsageMeter
          name="Tokens"
          used={0}
          most={0}
          words={(run.tokens.input + run.tokens.output).toLocaleString("en")}
          of={cachedWords(run)}
        />
      )}
    </dl>
  );
}
