import { SegmentedControl } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useState } from "react";
import { flushSync } from "react-dom";
import { api } from "@/api/client";
import type { Run } from "@/api/types";
import { Deliverables } from "@/features/deliverables/Deliverables";
import { useMay } from "@/features/session/roles";
import { Failed, Loading } from "@/ui/States";
import classes from "../run.module.css";
import { Transcript } from "../transcript/Transcript";
import { showOpenAsk } from "../transcript/useFollow";
import { type Action, hasEnded } from "../words";
import { Activity } from "./Activity";
import { Files } from "./Files";
import { MessageBox } from "./MessageBox";
import { Progress } from "./Progress";
import { Result } from "./Result";
import { RunDialog } from "./RunDialog";
import { RunHeader } from "./RunHeader";
import { Strip } from "./Strip";
import { useRunActions } from "./steering";

/** One run, live: what it is doing, what it said, what it needs, what it made. */
export function RunView({ runId }: { runId: string }) {
  const query = api.useQuery("get", "/api/runs/{run_id}", { params: { path: { run_id: runId } } });
  const run = query.data;
  if (query.isPending) return <Loading lines={4} height={64} />;
  if (!run) return <Failed what="This run could not be loaded" error={query.error} retry={() => query.refetch()} />;
  return <Whole run={run} />;
}

function Whole({ run }: { run: Run }) {
  const may = useMay("member");
  const ended = hasEnded(run);
  const [chosen, setChosen] = useState<string | null>(null);
  const part = chosen ?? (run.status === "completed" ? "side" : "thread");
  const steering = useRunActions(run);
  const [asked, setAsked] = useState<Action | null>(null);
  const wheel = { run, steering, onAsk: setAsked };
  const head = useIntersection();
  const away = head.entry?.isIntersecting === false;
  const decide = () => {
    // What is not drawn cannot be scrolled to.
    flushSync(() => setChosen("thread"));
    showOpenAsk();
  };
  return (
    <div className={classes.page}>
      {away && <Strip {...wheel} />}
      <RunHeader {...wheel} ref={head.ref} away={away} onDecide={decide} />
      <SegmentedControl
        className={classes.parts}
        fullWidth
        aria-label="What to show"
        value={part}
        onChange={setChosen}
        data={[
          { value: "thread", label: "Thread" },
          { value: "side", label: "Progress and results" },
        ]}
      />
      <div className={classes.columns} data-part={part}>
        {ended && <Result run={run} />}
        <div className={classes.thread}>
          <Transcript run={run} />
          {!ended && may && <MessageBox run={run} />}
        </div>
        <aside className={classes.side} aria-label="Progress and results">
          {!ended && <Progress run={run} />}
          <Deliverables run={run} />
          <Files run={run} />
          {ended && <Progress run={run} />}
          <Activity run={run} />
        </aside>
      </div>
      {asked && <RunDialog run={run} action={asked} act={steering} onClose={() => setAsked(null)} />}
    </div>
  );
}
