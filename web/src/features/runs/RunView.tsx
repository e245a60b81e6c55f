import { api } from "@/api/client";
import { Deliverables } from "@/features/deliverables/Deliverables";
import { Failed, Loading } from "@/ui/States";
import { MessageBox } from "./MessageBox";
import { Progress } from "./Progress";
import { RunHeader } from "./RunHeader";
import classes from "./run.module.css";
import { Transcript } from "./Transcript";
import { hasEnded } from "./words";

/** One run, live: what it is doing, what it said, what it needs, what it made. */
export function RunView({ runId }: { runId: string }) {
  const query = api.useQuery("get", "/api/runs/{run_id}", { params: { path: { run_id: runId } } });
  const run = query.data;
  if (query.isPending) return <Loading lines={4} height={64} />;
  if (!run) return <Failed what="This run could not be loaded" error={query.error} retry={() => query.refetch()} />;
  return (
    <div className={classes.page}>
      <RunHeader run={run} />
      <div className={classes.columns}>
        <div className={classes.thread}>
          <Transcript run={run} />
          {!hasEnded(run) && <MessageBox run={run} />}
        </div>
        <aside className={classes.side} aria-label="Progress and deliverables">
          <Progress run={run} />
          <Deliverables run={run} />
        </aside>
      </div>
    </div>
  );
}
