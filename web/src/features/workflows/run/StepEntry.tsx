import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import type { RunStep } from "@/api/workflows/workflows";
import { Icon } from "@/ui/icons";
import { Tag } from "@/ui/Tag";
import { duration } from "@/ui/time/duration";
import { Value } from "@/ui/values/Values";
import { ItsAsk } from "../canvas/ItsAsk";
import { useDoerNames } from "../graph/doerNames";
import { stateWords } from "../graph/stepStates";
import classes from "../workflows.module.css";

interface StepEntryProps {
  runId: string;
  step: RunStep;
  /** On the canvas: then its data is open. */
  chosen: boolean;
  /** Where there is no canvas, its checkpoint is answered here. */
  checkpoint: ReactNode;
}

/** One step of a run: its state, how long it took, and its data to open. */
export function StepEntry({ runId, step, chosen, checkpoint }: StepEntryProps) {
  const place = useRef<HTMLLIElement>(null);
  const doerOf = useDoerNames();
  useEffect(() => {
    if (chosen) place.current?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }, [chosen]);
  const { label, tone } = stateWords(step.status);
  const children = step.runs ?? (step.run_id ? [{ index: 0, run_id: step.run_id }] : []);
  return (
    <li
      ref={place}
      aria-label={step.name ?? step.id}
      aria-current={step.status === "running" || step.status === "waiting" ? "step" : undefined}
      data-chosen={chosen || undefined}
    >
      <div className="row wrap">
        <strong>{step.name ?? step.id}</strong>
        <Tag tone={tone} live={step.status === "running"}>
          {label}
        </Tag>
        {(step.attempt ?? 1) > 1 && <span className="tiny dim">Attempt {step.attempt}</span>}
        <span className={`small dim ${classes.doer}`}>{doerOf(step)}</span>
        {step.working_seconds != null && <span className="small dim num">{duration(step.working_seconds)}</span>}
        {children.map(({ index, run_id: runId }) =>
          runId ? (
            <Link key={runId} to="/runs/$runId" params={{ runId }} className={`small ${classes.stepLink}`}>
              {children.length > 1 ? `Run ${index + 1}` : "Open its run"}
            </Link>
          ) : null,
        )}
      </div>
      {step.status === "waiting" && (step.waits_for ? <ItsAsk askId={step.waits_for} /> : checkpoint)}
      {step.error && (
        <div className={`small ${classes.bad} ${classes.data}`} role="alert">
          {typeof step.error.message === "string" ? step.error.message : <Value value={step.error} />}
        </div>
      )}
      {step.warning && (
        <p className={`small row ${classes.data}`}>
          <Icon name="triangle-alert" size={14} /> {step.warning}
        </p>
      )}
      <Data title="Input" value={step.input} open={chosen} />
      <Data title="Output" value={step.output} open={chosen} />
      <LeftOut runId={runId} found={step.left_out ?? {}} />
      <ErrorInFull error={step.error} />
    </li>
  );
}

function Data({ title, value, open }: { title: string; value: unknown; open: boolean }) {
  if (value === null || value === undefined) return null;
  return (
    <details className="small" open={open}>
      <summary>{title}</summary>
      <div className={classes.data}>
        <Value value={value} />
      </div>
    </details>
  );
}

/** What is too long to be shown, to take along. */
function LeftOut({ runId, found }: { runId: string; found: Record<string, number> }) {
  const all = Object.entries(found);
  if (all.length === 0) return null;
  return (
    <p className={`small dim ${classes.data}`}>
      {all.map(([name, characters]) => `Its ${name} has ${characters.toLocaleString("en")} characters`).join(", ")}: too
      many to be shown. <a href={`/api/runs/${runId}/steps`}>Show all of this run's data as JSON</a>
    </p>
  );
}

/** All that the engine kept of it, for builders. */
function ErrorInFull({ error }: { error: RunStep["error"] }) {
  if (!error) return null;
  const { trace, ...facts } = error;
  return (
    <details className="small">
      <summary>Error in full</summary>
      <div className={classes.data}>
        <Value value={facts} />
        {typeof trace === "string" && <pre className={classes.stack}>{trace}</pre>}
      </div>
    </details>
  );
}
