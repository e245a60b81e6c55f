import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import type { Run } from "@/api/types";
import { type RunStep, readSteps, stepsKey, type WorkflowDefinition } from "@/api/workflows/workflows";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import { CheckpointSlot } from "../canvas/CheckpointSlot";
import classes from "../workflows.module.css";
import { RunOverview } from "./RunOverview";
import { StepEntry } from "./StepEntry";

const Canvas = lazy(() => import("../canvas/Canvas"));

interface WorkflowRunProps {
  run: Run;
  /** What answers a step's checkpoint. */
  checkpoint: (askId: string) => ReactNode;
}

/** How far a workflow has come: drawn, and step by step with what went in and came out. */
export function WorkflowRun({ run, checkpoint }: WorkflowRunProps) {
  const narrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const query = useQuery({ queryKey: stepsKey(run.id), queryFn: () => readSteps(run.id) });
  const steps = query.data?.items;
  const [chosen, setChosen] = useState<string | null>(null);
  const states = useMemo(() => new Map(steps?.map((step) => [step.id, step])), [steps]);
  const drawn = useMemo(() => definitionOf(run, steps ?? []), [run, steps]);
  if (query.isPending) return <Loading lines={2} height={120} />;
  if (!steps) return <Failed what="Couldn't load the steps" error={query.error} retry={() => query.refetch()} />;
  return (
    <section className={`card ${page.panel} ${classes.steps}`} aria-label="Steps">
      <RunOverview run={run} steps={steps} />
      {!narrow && (
        <CheckpointSlot.Provider value={checkpoint}>
          <Suspense fallback={<Loading lines={1} height={320} />}>
            <Canvas
              definition={drawn}
              problems={NONE}
              readOnly
              narrow={narrow}
              onEdit={ignore}
              chosen={chosen}
              onChoose={setChosen}
              states={states}
            />
          </Suspense>
        </CheckpointSlot.Provider>
      )}
      <ol className={`${classes.rows} ${classes.timeline}`} aria-label="Timeline">
        {steps.map((step) => (
          <StepEntry
            key={step.id}
            runId={run.id}
            step={step}
            chosen={step.id === chosen}
            checkpoint={narrow && step.ask_id ? checkpoint(step.ask_id) : null}
          />
        ))}
      </ol>
    </section>
  );
}

const NONE: [] = [];
const ignore = () => {};

/** What a run keeps of its workflow, as far as a canvas needs it. */
const definitionOf = (run: Run, steps: RunStep[]): WorkflowDefinition => ({
  slug: run.workflow ?? "",
  name: run.title,
  steps: steps.map(({ id, name, agent, workflow, tool, needs }) => ({
    id,
    name: name ?? undefined,
    agent: agent ?? undefined,
    workflow: workflow ?? undefined,
    tool: tool ?? undefined,
    needs: needs ?? [],
  })),
});
