import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import { Deliverables } from "@/features/deliverables/Deliverables";
import { useMay } from "@/features/session/roles";
import { Failed, Loading } from "@/ui/States";
import { Activity } from "./Activity";
import { Files } from "./Files";
import { MessageBox } from "./MessageBox";
import { Progress } from "./Progress";
import { RunHeader } from "./RunHeader";
import classes from "./run.module.css";
import { Transcript } from "./Transcript";
import { hasEnded } from "./words";

/** One run, live: what it is doing, what it said, what it needs, what it made. */
export function RunView({ runId }: { runId: string }) {
  const query = api.useQuery("get", "/api/runs/{run_id}", { params: { path: { run_id: runId } } });
  const may = useMay("member");
  const [part, setPart] = useState("thread");
  const run = query.data;
  if (query.isPending) return <Loading lines={4} height={64} />;
  if (!run) return <Failed what="This run could not be loaded" error={query.error} retry={() => query.refetch()} />;
  return (
    <div className={classes.page}>
      <RunHeader run={run} />
      <SegmentedControl
        className={classes.parts}
        fullWidth
        aria-label="What to show"
        value={part}
        onChange={setPart}
        data={[
          { value: "thread", label: "Thread" },
          { value: "side", label: "Progress and results" },
        ]}
      />
      <div className={classes.columns} data-part={part}>
        <div className={classes.thread}>
          <Transcript run={run} />
          {!hasEnded(run) && may && <MessageBox run={run} />}
        </div>
        <aside className={classes.side} aria-label="Progress and results">
          <Progress run={run} />
          <Deliverables run={run} />
          <Files run={run} />
          <Activity run={run} />
        </aside>
      </div>
    </div>
  );
}
