import { Button, Modal, Switch } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { wordsOf } from "@/api/problems";
import type { Values } from "@/api/types";
import { executeWorkflow, type Workflow } from "@/api/workflows/workflows";
import { Loading } from "@/ui/States";
import classes from "../workflows.module.css";
import { exampleInput } from "./exampleInput";

const ValueEditor = lazy(() => import("@/ui/editor/ValueEditor"));

interface ExecuteDialogProps {
  workflow: Workflow;
  onClose: () => void;
}

/** What the workflow is given, and whether it is only a test. */
export default function ExecuteDialog({ workflow, onClose }: ExecuteDialogProps) {
  const navigate = useNavigate();
  const schema = workflow.definition.input_schema;
  const [first, setFirst] = useState<Values>(() => exampleInput(schema));
  const [input, setInput] = useState<Values | null>(first);
  const isExample = Object.keys(first).length > 0;
  const [test, setTest] = useState(false);
  const execute = useMutation({
    mutationFn: () => executeWorkflow(workflow.slug, input ?? {}, test),
    onSuccess: (run) => navigate({ to: "/runs/$runId", params: { runId: run.id } }),
  });
  const ahead = workflow.deployed_version !== workflow.version;
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Run ${workflow.name}`}
      size="36rem"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <div className="stack">
        {workflow.description && <p>{workflow.description}</p>}
        {ahead && (
          <p className="small dim">
            Version {workflow.deployed_version} runs: it is the one that is deployed. Version {workflow.version} is a
            draft.
          </p>
        )}
        {isExample && (
          <div className="row wrap small dim">
            <span className="grow">Filled in with an example. Change it as you like.</span>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                setFirst(EMPTY);
                setInput(EMPTY);
              }}
            >
              Empty the form
            </Button>
          </div>
        )}
        <Suspense fallback={<Loading lines={1} height={160} />}>
          <ValueEditor
            key={isExample ? "example" : "empty"}
            label="Input"
            schema={schema}
            value={first}
            onChange={(value) => setInput(value)}
          />
        </Suspense>
        <Switch
          label="As a test"
          description="Tools that reach outside are not really called."
          checked={test}
          onChange={(event) => setTest(event.currentTarget.checked)}
        />
        {execute.error && (
          <p className={classes.bad} role="alert">
            {wordsOf(execute.error)}
          </p>
        )}
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={execute.isPending} disabled={input === null} onClick={() => execute.mutate()}>
            Run
          </Button>
        </div>
      </div>
    </Modal>
  );
}

const EMPTY = {};
