import { Button, Modal, Switch } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { wordsOf } from "@/api/problems";
import type { Values } from "@/api/types";
import {
  executeWorkflow,
  type PreviewStep,
  previewWorkflow,
  type Workflow,
  type WorkflowDefinition,
} from "@/api/workflows/workflows";
import { Failed, Loading } from "@/ui/States";
import { Tag } from "@/ui/Tag";
import { Value } from "@/ui/values/Values";
import { exampleInput } from "../run/exampleInput";
import classes from "../workflows.module.css";

const ValueEditor = lazy(() => import("@/ui/editor/ValueEditor"));

interface TryDialogProps {
  workflow: Workflow;
  definition: WorkflowDefinition;
  text: string;
  changed: boolean;
  onClose: () => void;
}

/** What each step would get from a sample; and a test run with it, before anything is deployed. */
export default function TryDialog({ workflow, definition, text, changed, onClose }: TryDialogProps) {
  const navigate = useNavigate();
  const [first] = useState<Values>(() => exampleInput(definition.input_schema));
  const [input, setInput] = useState<Values | null>(first);
  const [fromRun, setFromRun] = useState(false);
  const flow = useQuery({
    queryKey: ["workflow preview", workflow.slug, text, fromRun || input],
    queryFn: () => previewWorkflow(workflow.slug, text, fromRun ? { run: "last" } : { input: input ?? EMPTY }),
    enabled: fromRun || input !== null,
    placeholderData: (before) => before,
    retry: false,
  });
  const test = useMutation({
    mutationFn: () => executeWorkflow(workflow.slug, input ?? EMPTY, true),
    onSuccess: (run) => navigate({ to: "/runs/$runId", params: { runId: run.id } }),
  });
  const names = new Map(definition.steps.map(({ id, name }) => [id, name ?? id]));
  return (
    <Modal
      opened
      onClose={onClose}
      title="Try it with a sample"
      size="60rem"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <div className={classes.trying}>
        <section className="stack" aria-label="Sample input">
          <h3>Sample input</h3>
          <Suspense fallback={<Loading lines={1} height={160} />}>
            <ValueEditor label="Sample input" schema={definition.input_schema} value={first} onChange={setInput} />
          </Suspense>
        </section>
        <section className="stack" aria-label="Data flow">
          <h3>What each step would get</h3>
          <Switch
            size="sm"
            label="From what the last run was given and made"
            checked={fromRun}
            onChange={(event) => setFromRun(event.currentTarget.checked)}
          />
          {flow.isPending && <Loading lines={3} />}
          {flow.isError && (
            <Failed what="Couldn't show the data flow" error={flow.error} retry={() => flow.refetch()} />
          )}
          <ol className={classes.rows}>
            {flow.data?.steps.map((step) => (
              <FlowStep key={step.id} step={step} name={names.get(step.id) ?? step.id} />
            ))}
          </ol>
        </section>
      </div>
      {test.error && (
        <p className={classes.bad} role="alert">
          {wordsOf(test.error)}
        </p>
      )}
      <div className={`row wrap ${classes.tryEnd}`}>
        <p className="small dim grow">
          {changed
            ? "Save first: a test runs what is saved."
            : `A test runs version ${workflow.version}, deployed or not. Nothing reaches the outside.`}
        </p>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button loading={test.isPending} disabled={changed || input === null} onClick={() => test.mutate()}>
          Run the test
        </Button>
      </div>
    </Modal>
  );
}

const EMPTY = {};
const ORIGINS = {
  sample: { words: "From the sample", why: "All from your sample" },
  schema: { words: "Example data", why: "Made up from what agents say they give" },
  run: { words: "From the last run", why: "What the last run was given and what its steps made" },
};

function FlowStep({ step: { input, from, error }, name }: { step: PreviewStep; name: string }) {
  return (
    <li className={classes.flowStep}>
      <p className="row">
        <strong className="grow">{name}</strong>
        <Tag plain title={ORIGINS[from].why}>
          {ORIGINS[from].words}
        </Tag>
      </p>
      {error && <p className={`small ${classes.bad}`}>{error}</p>}
      {input !== null && input !== undefined && (
        <div className="small">
          <Value value={input} />
        </div>
      )}
    </li>
  );
}
