import "@xyflow/react/dist/style.css";
import { useComputedColorScheme } from "@mantine/core";
import { Background, ControlButton, Controls, Panel, ReactFlow, type ReactFlowInstance } from "@xyflow/react";
import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { RunStep, WorkflowDefinition, WorkflowProblem } from "@/api/workflows/workflows";
import { Icon } from "@/ui/icons";
import { edgesOf } from "../graph/edges";
import { type Place, WIDTH } from "../graph/layout";
import { mayConnect } from "../graph/needs";
import { arrangeAnew, disconnect, moveStep, removeStep } from "../text/stepChanges";
import classes from "../workflows.module.css";
import { type StepFlowNode, StepNode } from "./StepNode";
import { useStepNodes } from "./useStepNodes";
import { viewOf } from "./viewport";

const KINDS = { step: StepNode };
const FIT = { padding: 0.08, maxZoom: 1 };
const MOVE_MS = 200;

export interface CanvasHandle {
  /** The place on the canvas under a point of the window, if there is one. */
  placeAt: (point: Place) => Place | null;
  show: (id: string) => void;
}

interface CanvasProps {
  ref?: Ref<CanvasHandle>;
  definition: WorkflowDefinition;
  problems: WorkflowProblem[];
  readOnly: boolean;
  narrow: boolean;
  /** Change the text that the canvas is drawn from. */
  onEdit: (change: (text: string) => string) => void;
  onConnect?: (from: string, to: string) => void;
  onChoose: (id: string | null) => void;
  chosen?: string | null;
  /** How far each step of a run has come. */
  states?: Map<string, RunStep>;
}

/** The steps and what they wait for, drawn from the text. */
export default function Canvas(props: CanvasProps) {
  const { ref, definition, problems, readOnly, narrow, onEdit, onConnect, onChoose, states, chosen } = props;
  const colorMode = useComputedColorScheme("light");
  const place = useRef<HTMLDivElement>(null);
  const flow = useRef<ReactFlowInstance<StepFlowNode>>(null);
  const { drawn, nodes, onNodesChange } = useStepNodes({ definition, problems, narrow, states, chosen });
  // A new function would be told of the old selection at once.
  const onSelectionChange = useCallback(
    ({ nodes: selected }: { nodes: StepFlowNode[] }) => onChoose(selected[0]?.id ?? null),
    [onChoose],
  );
  const showAll = () =>
    void requestAnimationFrame(() => {
      // On an empty canvas it would wait for the first step, and move that away from where it was dropped.
      if (flow.current?.getNodes().length) void flow.current.fitView({ ...FIT, duration: MOVE_MS });
    });
  const showAdded = (places: Place[]) => {
    const [before, box] = [flow.current?.getViewport(), place.current];
    const after = before && box && viewOf(places, before, { width: box.clientWidth, height: box.clientHeight });
    if (!after) return showAll();
    // What stands where somebody let it go stays there, and so does their view.
    if (after.x !== before.x || after.y !== before.y) void flow.current?.setViewport(after, { duration: MOVE_MS });
  };
  // Nor does it at first.
  const [fitsAtFirst] = useState(definition.steps.length > 0);
  const known = useRef(new Set<string>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when steps come or go
  useEffect(() => {
    const added = drawn.filter(({ id }) => !known.current.has(id));
    known.current = new Set(drawn.map(({ id }) => id));
    if (added.length > 0) showAdded(added.map(({ position }) => position));
  }, [definition.steps.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when there is another amount of room
  useEffect(showAll, [narrow]);
  useImperativeHandle(
    ref,
    () => ({
      placeAt: (point) => {
        const box = place.current?.getBoundingClientRect();
        const isIn = box && point.x > box.left && point.x < box.right && point.y > box.top && point.y < box.bottom;
        if (!isIn || !flow.current) return null;
        const { x, y } = flow.current.screenToFlowPosition(point);
        return { x: x - WIDTH / 2, y };
      },
      show: (id) => void flow.current?.fitView({ ...FIT, nodes: [{ id }], duration: MOVE_MS }),
    }),
    [],
  );
  const edges = useMemo(() => edgesOf(definition.steps, states), [definition, states]);
  return (
    <div ref={place} className={`card ${classes.canvas}`} data-watched={states ? true : undefined}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={KINDS}
        colorMode={colorMode}
        fitView={fitsAtFirst}
        fitViewOptions={FIT}
        minZoom={0.2}
        preventScrolling={!states}
        nodesConnectable={!readOnly}
        nodesDraggable={!readOnly && !narrow}
        edgesFocusable={!readOnly}
        deleteKeyCode={readOnly ? null : ["Delete", "Backspace"]}
        isValidConnection={({ source, target }) => mayConnect(definition.steps, source, target)}
        onNodesChange={onNodesChange}
        onNodeDragStop={(_, { id, position }) => onEdit((text) => moveStep(text, id, position))}
        onConnect={({ source, target }) => onConnect?.(source, target)}
        onDelete={(gone) =>
          onEdit((text) => {
            const apart = gone.edges
              .filter(({ source, target }) => !gone.nodes.some(({ id }) => id === source || id === target))
              .reduce((before, { source, target }) => disconnect(before, source, target), text);
            return gone.nodes.reduce((before, { id }) => removeStep(before, id), apart);
          })
        }
        onInit={(made) => {
          flow.current = made;
        }}
        onSelectionChange={onSelectionChange}
      >
        <Background />
        {definition.steps.length === 0 && (
          <Panel position="top-center" className="small dim">
            {narrow ? "No steps yet." : "Drag an agent here, or click it."}
          </Panel>
        )}
        <Controls showInteractive={false} fitViewOptions={FIT} position="bottom-left">
          {!readOnly && (
            <ControlButton
              title="Arrange"
              aria-label="Arrange"
              onClick={() => {
                onEdit(arrangeAnew);
                showAll();
              }}
            >
              <Icon name="layout-dashboard" size={14} />
            </ControlButton>
          )}
        </Controls>
      </ReactFlow>
    </div>
  );
}
