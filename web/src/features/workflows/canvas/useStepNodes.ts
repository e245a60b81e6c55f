import { useNodesState } from "@xyflow/react";
import { useEffect, useMemo, useRef } from "react";
import type { RunStep, WorkflowDefinition, WorkflowProblem } from "@/api/workflows/workflows";
import { placesOf } from "../graph/layout";
import type { StepFlowNode } from "./StepNode";

interface Drawing {
  definition: WorkflowDefinition;
  problems: WorkflowProblem[];
  narrow: boolean;
  states?: Map<string, RunStep>;
  chosen?: string | null;
}

/** The steps as nodes, drawn anew with each change of the text, of what is wrong with it, and of the run. */
export function useStepNodes({ definition, problems, narrow, states, chosen }: Drawing) {
  const drawn = useMemo(() => {
    const tall = new Set([...(states?.values() ?? [])].filter(({ ask_id }) => ask_id).map(({ id }) => id));
    const places = placesOf(definition, narrow, tall);
    return definition.steps.map((step): StepFlowNode => {
      const own = problems.filter((each) => each.step === step.id).map(({ message }) => message);
      const state = states?.get(step.id);
      return {
        id: step.id,
        type: "step",
        position: places.get(step.id) ?? { x: 0, y: 0 },
        data: { step, state, problems: own },
        ariaLabel: `Step ${step.name ?? step.id}${own.length > 0 ? `: ${own.join(" ")}` : ""}`,
      };
    });
  }, [definition, problems, narrow, states]);
  const [nodes, setNodes, onNodesChange] = useNodesState(drawn);
  const choice = useRef(chosen);
  useEffect(() => {
    setNodes((before) => {
      const known = new Map(before.map((node) => [node.id, node]));
      return drawn.map((node) => anew(node, known.get(node.id)) ?? { ...node, selected: node.id === choice.current });
    });
  }, [drawn, setNodes]);
  useEffect(() => {
    choice.current = chosen;
    setNodes((before) => before.map((node) => ({ ...node, selected: node.id === chosen })));
  }, [chosen, setNodes]);
  return { drawn, nodes, onNodesChange };
}

/** A node that is there already, with what is new of it. */
function anew(node: StepFlowNode, before: StepFlowNode | undefined): StepFlowNode | undefined {
  if (!before) return undefined;
  // Without its size it would be hidden until it is measured again, and an arrow that is drawn meanwhile would miss it.
  // Somebody may have chosen another step that is not told yet, so what is selected here stays so.
  const { measured, selected, dragging, position } = before;
  return { ...node, measured, selected, dragging, position: dragging ? position : node.position };
}
