import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { Ask, Run } from "@/api/types";
import { RiskTag } from "@/features/asks/RiskTag";
import { kindWords } from "@/features/asks/words";
import { Countdown, Waiting } from "@/ui/clock";
import { Icon } from "@/ui/icons";
import { summary } from "@/ui/reading";
import classes from "./dashboard.module.css";

const SHOWN = 3;

/** A run that waits: what it asks, one click from the answer. */
export function WaitingRun({ run }: { run: Run }) {
  const asks = api.useQuery("get", "/api/runs/{run_id}/asks", {
    params: { path: { run_id: run.id }, query: { status: "pending", limit: SHOWN } },
  });
  const more = run.open_asks - SHOWN;
  return (
    <article className={`card ${classes.run}`} aria-label={run.title}>
      <header className="row">
        <Link className={`cut grow ${classes.name}`} to="/runs/$runId" params={{ runId: run.id }}>
          {run.title}
        </Link>
        <span className="row tiny dim" style={{ gap: "0.3rem" }}>
          <Icon name="bot" size={14} /> {run.agent_name}
        </span>
      </header>
      {asks.isPending && <div className={classes.placeholder} />}
      {asks.data?.items.map((ask) => (
        <OneAsk key={ask.id} ask={ask} />
      ))}
      {more > 0 && (
        <Link className="small" to="/runs/$runId" params={{ runId: run.id }}>
          {more} more in this run
        </Link>
      )}
    </article>
  );
}

function OneAsk({ ask }: { ask: Ask }) {
  const { label, icon } = kindWords(ask);
  const about = ask.reasoning || ask.description || (ask.arguments ? summary(ask.arguments) : "");
  const plain = about.replace(/\*\*|`/g, "");
  return (
    <div className={classes.ask}>
      <Icon name={icon} size={17} aria-label={label} />
      <div className="grow">
        <div className="row wrap" style={{ gap: "0.3rem 0.5rem" }}>
          <strong className={classes.question}>{ask.title}</strong>
          {ask.risk && <RiskTag level={ask.risk.level} />}
        </div>
        <div className="cut small dim">{plain && plain !== ask.title ? plain : label}</div>
        <div className="tiny dim">
          waiting <Waiting at={ask.created_at} />
          {ask.deadline && (
            <>
              {" · "}
              <Countdown at={ask.deadline} />
            </>
          )}
        </div>
      </div>
      <Button renderRoot={(props) => <Link {...props} to="/asks/$askId" params={{ askId: ask.id }} />}>
        {ask.kind === "question" || ask.kind === "clarification" ? "Answer" : "Review"}
      </Button>
    </div>
  );
}
