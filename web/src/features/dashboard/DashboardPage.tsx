import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { http } from "@/api/client";
import type { components } from "@/api/schema";
import type { Run } from "@/api/types";
import { RunRow } from "@/features/runs/RunRow";
import { hasEnded } from "@/features/runs/words";
import { useMay } from "@/features/session/roles";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import classes from "./dashboard.module.css";
import { RunTile } from "./RunTile";
import { WaitingRun } from "./WaitingRun";
import { Welcome } from "./Welcome";

type Board = components["schemas"]["Dashboard"];

/** The board's key stands among the runs', so that what happens to any run refreshes it. */
function useBoard() {
  return useQuery({
    queryKey: ["get", "/api/runs", "dashboard"],
    queryFn: async ({ signal }) => (await http.GET("/api/runs/dashboard", { signal })).data as Board,
  });
}

/** What needs somebody, what is at work, what was done. */
export function DashboardPage() {
  const board = useBoard();
  const may = useMay("member");
  if (board.isPending) return <Loading lines={5} height={64} />;
  if (!board.data)
    return <Failed what="The dashboard could not be loaded" error={board.error} retry={() => board.refetch()} />;
  const { needs_attention: attention, running, recent_completed: older } = board.data;
  if (attention.length + running.length + older.length === 0) return <Welcome />;
  // A run that clarifies its task also waits for somebody.
  const waiting = [...attention, ...running]
    .filter((run) => !hasEnded(run) && run.open_asks > 0)
    .sort((left, right) => left.created_at.localeCompare(right.created_at));
  const known = new Set(waiting.map(({ id }) => id));
  const working = [...running, ...attention.filter((run) => !hasEnded(run))].filter(({ id }) => !known.has(id));
  const done = [...attention.filter(hasEnded), ...older].slice(0, 12);
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>{greeting(waiting.length)}</h1>
        {may && (
          <Button
            renderRoot={(props) => <Link {...props} to="/runs" search={{ start: "any" }} />}
            leftSection={<Icon name="plus" />}
          >
            Start a run
          </Button>
        )}
      </header>
      <Part
        title="Needs attention"
        count={waiting.length}
        none="Nothing waits for you. What an agent needs from people appears here."
      >
        <div className={classes.waiting}>
          {waiting.map((run) => (
            <WaitingRun key={run.id} run={run} />
          ))}
        </div>
      </Part>
      <Part title="Running" count={working.length} none="No agent is at work.">
        <div className={classes.tiles}>
          {working.map((run) => (
            <RunTile key={run.id} run={run} />
          ))}
        </div>
      </Part>
      <Part title="Recent" count={done.length} none="What has ended appears here." more>
        <div className={`card ${page.list}`}>
          {done.map((run: Run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </div>
      </Part>
    </div>
  );
}

function greeting(waiting: number): string {
  if (waiting === 0) return "All quiet";
  return waiting === 1 ? "One run waits for somebody" : `${waiting} runs wait for somebody`;
}

interface PartProps {
  title: string;
  count: number;
  none: string;
  more?: boolean;
  children: ReactNode;
}

function Part({ title, count, none, more = false, children }: PartProps) {
  return (
    <section className={classes.part} aria-label={title}>
      <h2 className={classes.title}>
        {title}
        {count > 0 && <span className="num dim">{count}</span>}
        {more && (
          <Link className="small" to="/runs" search={{}}>
            All runs
          </Link>
        )}
      </h2>
      {count > 0 ? children : <p className="dim">{none}</p>}
    </section>
  );
}
