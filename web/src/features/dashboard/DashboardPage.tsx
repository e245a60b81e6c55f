import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMay } from "@/api/roles";
import type { Run } from "@/api/types";
import { hasEnded } from "@/ui/domain/runs/runStatus";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import classes from "./dashboard.module.css";
import { RecentDeliverable } from "./RecentDeliverable";
import { RunTile } from "./RunTile";
import { SHOWN, useDashboard, useResults, useWaiting } from "./useDashboard";
import { WaitingAsk } from "./WaitingAsk";
import { Welcome } from "./Welcome";

const RECENT = 8;

/** What needs somebody, what is at work, what was done. */
export function DashboardPage({ runRow }: { runRow: (run: Run) => ReactNode }) {
  const board = useDashboard();
  const waiting = useWaiting();
  const results = useResults();
  const may = useMay("member");
  if (board.isPending || waiting.isPending) return <Loading lines={5} height={64} />;
  if (!board.data || !waiting.data)
    return (
      <Failed
        what="Couldn't load the dashboard"
        error={board.error ?? waiting.error}
        retry={() => Promise.all([board.refetch(), waiting.refetch()])}
      />
    );
  const { needs_attention: attention, running, recent_completed: older } = board.data;
  if (attention.length + running.length + older.length + waiting.data.total === 0) return <Welcome />;
  // A run whose ask is above would only be said twice.
  const working = [...running, ...attention].filter((run) => !hasEnded(run) && run.open_asks === 0);
  const done = [...attention.filter(hasEnded), ...older].slice(0, RECENT);
  const { items: asks, total } = waiting.data;
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>Dashboard</h1>
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
        empty={total === 0}
        none="You're all caught up. When an agent needs you, it shows up here."
        more={total > SHOWN && <Link to="/inbox">All {total.toLocaleString("en")} in the inbox</Link>}
      >
        <div className={`card ${page.list}`}>
          {asks.map((ask) => (
            <WaitingAsk key={ask.id} ask={ask} />
          ))}
        </div>
      </Part>
      <Part title="Running" empty={working.length === 0} none="Nothing is running.">
        <div className={classes.tiles}>
          {working.map((run) => (
            <RunTile key={run.id} run={run} />
          ))}
        </div>
      </Part>
      {results.length > 0 && (
        <Part title="New deliverables" more={<Link to="/deliverables">All deliverables</Link>}>
          <div className={`card ${page.list}`}>
            {results.map((item) => (
              <RecentDeliverable key={item.id} item={item} />
            ))}
          </div>
        </Part>
      )}
      <Part
        title="Recent"
        empty={done.length === 0}
        none="Runs that have ended appear here."
        more={
          <Link to="/runs" search={{}}>
            All runs
          </Link>
        }
      >
        <div className={`card ${page.list}`}>{done.map(runRow)}</div>
      </Part>
    </div>
  );
}

interface PartProps {
  title: string;
  empty?: boolean;
  none?: string;
  more?: ReactNode;
  children: ReactNode;
}

function Part({ title, empty = false, none, more, children }: PartProps) {
  return (
    <section className={classes.part} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      {more && <span className={`small ${classes.more}`}>{more}</span>}
      {empty ? <p className={`dim ${classes.whole}`}>{none}</p> : <div className={classes.whole}>{children}</div>}
    </section>
  );
}
