import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { Ago } from "@/ui/clock";
import { Icon } from "@/ui/icons";
import classes from "./runs.module.css";
import { StatusTag } from "./StatusTag";
import { doingWords } from "./words";

/** A run in a list: what it is, what it does, how it stands. */
export function RunRow({ run }: { run: Run }) {
  const doing = doingWords(run);
  return (
    <Link to="/runs/$runId" params={{ runId: run.id }} className={classes.run}>
      <span className={classes.what}>
        <span className={`cut ${classes.name}`}>{run.title}</span>
        {doing !== run.title && <span className={`cut ${classes.step}`}>{doing}</span>}
      </span>
      <span className={`row small dim ${classes.hide}`} style={{ minWidth: 0 }}>
        <Icon name="bot" size={15} style={{ flex: "none" }} /> <span className="cut">{run.agent_name}</span>
      </span>
      <span>
        <StatusTag run={run} />
      </span>
      <span className={`${classes.when} ${classes.hide}`}>
        <Ago at={run.ended_at ?? run.created_at} />
      </span>
    </Link>
  );
}
