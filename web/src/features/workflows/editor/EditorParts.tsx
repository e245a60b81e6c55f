import { Button, Drawer, Modal, SegmentedControl } from "@mantine/core";
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useState } from "react";
import type { WorkflowProblem, WorkflowStep } from "@/api/workflows/workflows";
import { Icon } from "@/ui/icons";
import { Loading } from "@/ui/States";
import type { CanvasHandle } from "../canvas/Canvas";
import type { Place } from "../graph/layout";
import { StepPanel } from "../panel/StepPanel";
import type { Offers } from "../panel/useOffers";
import { WorkflowPanel } from "../panel/WorkflowPanel";
import classes from "../workflows.module.css";
import { ProblemList } from "./ProblemList";
import { StepLibrary } from "./StepLibrary";
import { StepList } from "./StepList";
import type { WorkflowDraft } from "./useWorkflowDraft";

const Canvas = lazy(() => import("../canvas/Canvas"));

interface EditorPartsProps {
  canvas: RefObject<CanvasHandle | null>;
  draft: WorkflowDraft;
  isNew: boolean;
  offers: Offers;
  chosen: string | null;
  step: WorkflowStep | undefined;
  readOnly: boolean;
  narrow: boolean;
  textEditor: ReactNode;
  onChoose: (id: string | null) => void;
  onAdd: (step: Omit<WorkflowStep, "id">) => void;
  onDrop: (step: Omit<WorkflowStep, "id">, at: Place) => void;
  onConnect: (from: string, to: string) => void;
  onGo: (problem: WorkflowProblem) => void;
}

/** Library, canvas and what is chosen side by side; on a narrow screen one at a time. */
export function EditorParts(props: EditorPartsProps) {
  const { draft, offers, chosen, step, readOnly, narrow, textEditor, isNew, onChoose, onAdd, onDrop, onConnect } =
    props;
  const { drawn, edit } = draft;
  // What cannot be read cannot be changed but in the text itself.
  const locked = readOnly || !draft.read.ok;
  const [part, setPart] = useState("steps");
  const [side, setSide] = useState("step");
  const [adding, setAdding] = useState(false);
  useEffect(() => {
    if (chosen) setSide("step");
  }, [chosen]);
  const drawing = drawn && (
    <Suspense fallback={<Loading lines={1} height={420} />}>
      <Canvas
        ref={props.canvas}
        definition={drawn}
        problems={draft.problems}
        readOnly={locked}
        {...{ narrow, chosen, onChoose, onConnect }}
        onEdit={edit}
      />
    </Suspense>
  );
  const problems = <ProblemList draft={draft} onGo={props.onGo} />;
  const stepPanel = drawn && step && (
    <StepPanel definition={drawn} readOnly={locked} {...{ step, offers, onChoose, onConnect }} onEdit={edit} />
  );
  const workflowPanel = drawn && <WorkflowPanel definition={drawn} isNew={isNew} readOnly={locked} onEdit={edit} />;
  if (!narrow)
    return (
      <div className={classes.editor}>
        <StepLibrary offers={offers} readOnly={readOnly} onAdd={onAdd} onDrop={onDrop} />
        <div className={classes.middle}>
          {drawing}
          {problems}
        </div>
        <aside className={classes.side} aria-label="Details">
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label="What to show"
            value={side}
            onChange={setSide}
            data={[
              { value: "step", label: step ? "Step" : "Workflow" },
              { value: "text", label: "YAML" },
            ]}
          />
          <div hidden={side !== "step"}>{stepPanel || workflowPanel}</div>
          {/* Always there: its history is what Undo goes through. */}
          <div hidden={side !== "text"}>{textEditor}</div>
        </aside>
      </div>
    );
  return (
    <div className="stack">
      <SegmentedControl
        fullWidth
        aria-label="What to show"
        value={part}
        onChange={setPart}
        data={[
          { value: "steps", label: "Steps" },
          { value: "canvas", label: "Canvas" },
          { value: "workflow", label: "About" },
          { value: "text", label: "YAML" },
        ]}
      />
      {problems}
      {part === "steps" && drawn && (
        <>
          <StepList definition={drawn} problems={draft.problems} chosen={chosen} onChoose={onChoose} />
          {!locked && (
            <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
              Add a step
            </Button>
          )}
        </>
      )}
      {part === "canvas" && drawing}
      {part === "workflow" && workflowPanel}
      <div hidden={part !== "text"}>{textEditor}</div>
      <Modal
        opened={adding}
        onClose={() => setAdding(false)}
        title="Add a step"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <StepLibrary
          offers={offers}
          readOnly={readOnly}
          onAdd={(made) => {
            onAdd(made);
            setAdding(false);
          }}
        />
      </Modal>
      <Drawer
        opened={Boolean(stepPanel)}
        onClose={() => onChoose(null)}
        title={step?.name ?? step?.id}
        position="bottom"
        size="85%"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {stepPanel}
      </Drawer>
    </div>
  );
}
