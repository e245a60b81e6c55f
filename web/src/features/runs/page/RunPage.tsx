import { SegmentedControl } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { api } from "@/api/client";
import { useMay } from "@/api/roles";
import type { Ask, Run } from "@/api/types";
import { hasEnded } from "@/ui/domain/runs/runStatus";
import { Failed, Loading } from "@/ui/States";
import { RunActionDialog } from "../actions/RunActionDialog";
import { type Action, actionsFor, useRunActions } from "../actions/useRunActions";
import { RunFiles } from "../files/RunFiles";
import classes from "../run.module.css";
import { Transcript } from "../transcript/Transcript";
import { showOpenAsk } from "../transcript/useScrollFollow";
import { ActivityLog } from "./ActivityLog";
import { DemoEnd } from "./DemoEnd";
import { MessageBox } from "./MessageBox";
import { RunConnections } from "./RunConnections";
import { RunHeader } from "./RunHeader";
import { RunProgress } from "./RunProgress";
import { RunResult } from "./RunResult";
import { RunTold } from "./RunTold";
import { StickyRunHeader } from "./StickyRunHeader";
import { ToldLessons } from "./ToldLessons";

interface RunPageProps {
  runId: string;
  /** What somebody came here to do. */
  wanted?: Action;
}

interface Slots {
  askCard: (ask: Ask, first: boolean) => ReactNode;
  deliverables: (run: Run) => ReactNode;
  /** The steps of a workflow's run. */
  steps: (run: Run) => ReactNode;
  /** What to read first of what it handed over. */
  mainDeliverable: (run: Run) => ReactNode;
}

/** One run, live: what it is doing, what it said, what it needs, what it made. */
export function RunPage({ runId, ...rest }: RunPageProps & Slots) {
  const query = api.useQuery("get", "/api/runs/{run_id}", { params: { path: { run_id: runId } } });
  const run = query.data;
  if (query.isPending) return <Loading lines={4} height={64} />;
  if (!run) return <Failed what="Couldn't load this run" error={query.error} retry={() => query.refetch()} />;
  return <LoadedRun run={run} {...rest} />;
}

type LoadedRunProps = Omit<RunPageProps, "runId"> & { run: Run } & Slots;

function LoadedRun({ run, wanted, askCard, deliverables, mainDeliverable, steps }: LoadedRunProps) {
  const may = useMay("member");
  const ended = hasEnded(run);
  // What files there are lie with its steps.
  const isWorkflow = run.kind === "workflow";
  const [chosen, setChosen] = useState<string | null>(null);
  const part = chosen ?? (run.status === "completed" ? "side" : "thread");
  const mutations = useRunActions(run);
  const [asked, setAsked] = useState<Action | null>(null);
  useWanted(wanted, (action) => may && actionsFor(run, false).includes(action) && setAsked(action));
  const actions = { run, mutations, onAsk: setAsked };
  const head = useIntersection();
  const away = head.entry?.isIntersecting === false;
  const failed = ended && isWorkflow && run.status !== "completed";
  const result = (
    <RunResult run={run} title={failed ? "Made so far" : "Result"}>
      {mainDeliverable(run)}
      <DemoEnd run={run} />
    </RunResult>
  );
  const decide = () => {
    // What is not drawn cannot be scrolled to.
    flushSync(() => setChosen("thread"));
    showOpenAsk();
  };
  return (
    <div className={classes.page}>
      {away && <StickyRunHeader {...actions} />}
      <RunHeader {...actions} ref={head.ref} away={away} onDecide={decide} />
      <SegmentedControl
        className={classes.parts}
        fullWidth
        aria-label="What to show"
        value={part}
        onChange={setChosen}
        data={[
          { value: "thread", label: "Thread" },
          { value: "side", label: "Results" },
          ...(isWorkflow ? [] : [{ value: "files", label: "Files" }]),
        ]}
      />
      <div className={classes.columns} data-part={part}>
        {/* Of what failed, why is read first; what was made so far stands below it. */}
        {ended && !failed && result}
        <div className={classes.thread}>
          {isWorkflow && steps(run)}
          {failed && result}
          <Transcript run={run} askCard={askCard} />
          {!ended && may && run.kind === "agent" && <MessageBox run={run} />}
        </div>
        <aside className={classes.side} aria-label="Progress and results">
          {!ended && <RunProgress run={run} />}
          {deliverables(run)}
          {!isWorkflow && <RunFiles run={run} />}
          <RunConnections run={run} />
          {ended && <RunProgress run={run} />}
          <ToldLessons run={run} />
          <RunTold run={run} />
          <ActivityLog run={run} />
        </aside>
      </div>
      {asked && <RunActionDialog run={run} action={asked} act={mutations} onClose={() => setAsked(null)} />}
    </div>
  );
}

/** Once: then the address is that of the run alone. */
function useWanted(wanted: Action | undefined, onWanted: (action: Action) => void): void {
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is wanted
  useEffect(() => {
    if (!wanted) return;
    onWanted(wanted);
    navigate({ to: ".", search: {}, replace: true });
  }, [wanted]);
}
