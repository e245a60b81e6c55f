// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import type { WorkflowProblem } from "@/api/workflows/workflows";
import { useStepNodes } from "./useStepNodes";

it("a step that is being moved stays under the hand when the check comes back", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const root = createRoot(document.createElement("div"));
  const definition = { slug: "w", name: "W", steps: [{ id: "a", agent: "writer" }], layout: { a: { x: 0, y: 0 } } };
  let step: ReturnType<typeof useStepNodes> | undefined;
  const Canvas = ({ problems }: { problems: WorkflowProblem[] }) => {
    step = useStepNodes({ definition, problems, narrow: false });
    return null;
  };
  const draw = (problems: WorkflowProblem[]) => act(() => root.render(createElement(Canvas, { problems })));
  const move = (dragging: boolean) =>
    act(() => step?.onNodesChange([{ type: "position", id: "a", position: { x: 70, y: 80 }, dragging }]));
  await draw([]);
  await move(true);
  await draw([{ path: "steps.0.agent", message: "There is no agent 'writer'.", step: "a" } as WorkflowProblem]);
  expect(step?.nodes[0]?.position).toEqual({ x: 70, y: 80 });
  expect(step?.nodes[0]?.data.problems).toEqual(["There is no agent 'writer'."]);
  await move(false);
  // The text says where it stands.
  await draw([]);
  expect(step?.nodes[0]?.position).toEqual({ x: 0, y: 0 });
  await act(() => root.unmount());
});
