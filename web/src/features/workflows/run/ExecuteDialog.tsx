import { Button, Modal, Switch } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, type ReactNode, type RefObject, Suspense, useMemo, useState } from "react";
import { wordsOf } from "@/api/problems";
import type { Values } from "@/api/types";
import { executeWorkflow, readWorkflow, type Workflow, workflowKey } from "@/api/workflows/workflows";
import { besidesInput, inputErrors } from "@/ui/editor/inputErrors";
import { useDiscardQuestion } from "@/ui/overlay/useDiscardQuestion";
import { Failed, Loading } from "@/ui/States";
import classes from "../workflows.module.css";
import { exampleInput } from "./exampleInput";

const ValueEditor = lazy(() => import("@/ui/editor/ValueEditor"));

interface ExecuteDialogProps {
  workflow: Workflow;
  onClose: () => void;
}

/** What the workflow is given, and whether it is only a test. */
export default function ExecuteDialog({ workflow, onClose }: ExecuteDialogProps) {
  const { slug, name, version, deployed_version: deployed } = workflow;
  const [test, setTest] = useState(false);
  const discard = useDiscardQuestion(onClose);
  const ahead = deployed !== version;
  // A test takes the newest. What runs else may want another input than that.
  const takesDeployed = ahead && !test;
  const older = useQuery({
    queryKey: [...workflowKey(slug), deployed],
    queryFn: () => readWorkflow(slug, deployed ?? version),
    enabled: takesDeployed,
  });
  const runs = takesDeployed ? older.data : workflow;
  const asTest = (
    <Switch
      label="As a test"
      description={`Tools that reach outside are not really called.${ahead ? ` Version ${version} is what it tries.` : ""}`}
      checked={test}
      onChange={(event) => setTest(event.currentTarget.checked)}
    />
  );
  return (
    <Modal opened {...discard.modal} title={`Run ${name}`} size="36rem" closeButtonProps={{ "aria-label": "Close" }}>
      <div className="stack">
        {workflow.description && <p>{workflow.description}</p>}
        {takesDeployed && (
          <p className="small dim">
            Version {deployed} runs: it is the one that is deployed. Version {version} is a draft.
          </p>
        )}
        {runs ? (
          <ExecuteForm
            key={String(takesDeployed)}
            workflow={runs}
            test={test}
            asTest={asTest}
            unsaved={discard.unsaved}
            onClose={onClose}
          />
        ) : older.error ? (
          <Failed what="Couldn't load what is deployed" error={older.error} retry={() => older.refetch()} />
        ) : (
          <Loading lines={1} height={160} />
        )}
        {discard.question}
      </div>
    </Modal>
  );
}

interface ExecuteFormProps extends ExecuteDialogProps {
  test: boolean;
  asTest: ReactNode;
  unsaved: RefObject<boolean>;
}

/** Filled in with the example of the very version that is to run. */
function ExecuteForm({ workflow: { slug, definition }, test, asTest, unsaved, onClose }: ExecuteFormProps) {
  const navigate = useNavigate();
  const schema = definition.input_schema;
  const [first, setFirst] = useState<Values>(() => exampleInput(schema));
  const [input, setInput] = useState<Values | null>(first);
  unsaved.current = input !== first;
  const isExample = Object.keys(first).length > 0;
  const execute = useMutation({
    mutationFn: () => executeWorkflow(slug, input ?? {}, test),
    onSuccess: (run) => navigate({ to: "/runs/$runId", params: { runId: run.id } }),
  });
  const errors = useMemo(() => inputErrors(execute.error), [execute.error]);
  return (
    <>
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
          onChange={(value) => {
            setInput(value);
            execute.reset();
          }}
          errors={errors}
        />
      </Suspense>
      {asTest}
      {execute.error && (
        <p className={classes.bad} role="alert">
          {wordsOf(besidesInput(execute.error))}
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
    </>
  );
}

const EMPTY = {};
