import { Button } from "@mantine/core";
import type { Run } from "@/api/types";
import { useNow } from "@/ui/clock";
import { Icon } from "@/ui/icons";
import { duration, since } from "@/ui/time";
import { RunActions } from "./RunActions";
import classes from "./run.module.css";
import { StatusTag } from "./StatusTag";
import { errorWords, hasEnded, reasonWords } from "./words";

export function RunHeader({ run }: { run: Run }) {
  const limits = run.limits as Partial<Record<string, number>>;
  const reason = reasonWords(run);
  const error = errorWords(run);
  return (
    <header className={classes.head}>
      <div className="grow">
        <h1>{run.title}</h1>
        <div className={classes.facts}>
          <span role="status" aria-label="Status">
            <StatusTag run={run} />
          </span>
          {reason && <span>{reason}</span>}
          <span className="row" style={{ gap: "0.3rem" }}>
            <Icon name="bot" size={15} /> {run.agent}
          </span>
          <span className="num" title="Time since it started">
            <Icon name="clock" size={14} /> <Elapsed run={run} />
          </span>
          <span className="num" title="Steps taken">
            {run.iterations} {run.iterations === 1 ? "step" : "steps"}
          </span>
          <Cost used={run.cost_credits} most={limits.max_cost_credits} />
        </div>
        {error && <p className={classes.error}>{error}</p>}
      </div>
      <div className="row">
        {run.open_asks > 0 && (
          <Button rightSection={<Icon name="arrow-right" style={{ rotate: "90deg" }} />} onClick={showFirstAsk}>
            Decide
          </Button>
        )}
        <RunActions run={run} />
      </div>
    </header>
  );
}

function Elapsed({ run }: { run: Run }) {
  const now = useNow();
  if (!run.started_at) return "not started";
  return duration(hasEnded(run) ? run.duration_seconds : since(run.started_at, now));
}

function Cost({ used, most }: { used: number; most: number | undefined }) {
  const share = most ? used / most : 0;
  return (
    <span className="num" style={share >= 0.8 ? { color: "var(--hot)" } : undefined} title="Cost so far and its limit">
      {used.toLocaleString("en", { maximumFractionDigits: 1 })}
      {most ? ` of ${most.toLocaleString("en")}` : ""} credits
    </span>
  );
}

function showFirstAsk(): void {
  document.querySelector("[data-ask]")?.scrollIntoView({ behavior: "smooth", block: "start" });
}
