// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import WorkflowTextEditor, { type HistoryState, type TextHandle } from "./WorkflowTextEditor";

it("says whether there is something to undo, also of what the canvas changed", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  Range.prototype.getClientRects = () => [] as never;
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  let text = "name: One\n";
  let past: HistoryState | undefined;
  const ref: { current: TextHandle | null } = { current: null };
  const told = (state: HistoryState) => {
    past = state;
  };
  const draw = () => {
    const props = { ref, text, readOnly: false, problems: [], target: null };
    const onChange = (next: string) => {
      text = next;
    };
    return act(() => root.render(createElement(WorkflowTextEditor, { ...props, onChange, onHistory: told })));
  };
  await draw();
  expect(past).toEqual({ undo: false, redo: false });
  text = "name: Two\n";
  await draw();
  expect(past).toEqual({ undo: true, redo: false });
  ref.current?.undo();
  expect(text).toBe("name: One\n");
  await draw();
  expect(past).toEqual({ undo: false, redo: true });
  await act(() => root.unmount());
});
