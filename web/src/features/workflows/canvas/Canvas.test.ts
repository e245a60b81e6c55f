// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { WorkflowDefinition, WorkflowProblem } from "@/api/workflows/workflows";
import Canvas from "./Canvas";

vi.mock("@/api/agentNames", () => ({ useAgentNames: () => (slug: string) => slug }));
vi.mock("@/api/workflows/workflowNames", () => ({ useWorkflowNames: () => (slug: string) => slug }));

/** Tells of sizes only when it is let, as a browser does with its next frame. */
class Observer {
  static all = new Set<Observer>();
  static tell = () => [...Observer.all].map((observer) => observer.tellAll());
  seen = new Set<Element>();
  constructor(private told: (entries: { target: Element }[]) => void) {
    Observer.all.add(this);
  }
  observe = (target: Element) => void this.seen.add(target);
  unobserve = (target: Element) => void this.seen.delete(target);
  disconnect = () => this.seen.clear();
  tellAll = () => this.told([...this.seen].map((target) => ({ target })));
}

const definition = (at: Record<string, { x: number; y: number }>): WorkflowDefinition => ({
  slug: "w",
  name: "W",
  steps: Object.keys(at).map((id) => ({ id, agent: "writer", needs: [] })),
  layout: at,
});
const TWO = definition({ a: { x: 0, y: 0 }, b: { x: 0, y: 200 } });
/** Of a step, and of the canvas. */
const SIZES = [
  ["Width", 232, 800],
  ["Height", 92, 600],
] as const;

let root: Root;
let place: HTMLElement;

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.stubGlobal("ResizeObserver", Observer);
  vi.stubGlobal(
    "DOMMatrixReadOnly",
    class {
      m22 = 1;
    },
  );
  for (const [name, step, room] of SIZES) {
    const size = function (this: Element) {
      return this.matches(".react-flow__node") ? step : room;
    };
    vi.spyOn(HTMLElement.prototype, `offset${name}`, "get").mockImplementation(size);
    vi.spyOn(Element.prototype, `client${name}`, "get").mockImplementation(size);
  }
  Object.assign(window, { matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) });
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(async () => {
  await act(() => root.unmount());
  place.remove();
  Observer.all.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const draw = (shown: WorkflowDefinition, problems: WorkflowProblem[] = []) => {
  const props = { readOnly: false, narrow: false, onEdit: () => {}, onChoose: () => {} };
  const canvas = createElement(Canvas, { ...props, definition: shown, problems });
  return act(() => root.render(createElement(MantineProvider, { env: "test" }, canvas)));
};
const visible = () =>
  [...place.querySelectorAll<HTMLElement>(".react-flow__node")]
    .filter(({ style }) => style.visibility !== "hidden")
    .map(({ dataset }) => dataset.id);

it("what is drawn anew can be seen and connected at once, as before", async () => {
  await draw(TWO);
  expect(visible()).toEqual([]);
  await act(() => Observer.tell());
  expect(visible()).toEqual(["a", "b"]);
  // The check comes back, while somebody draws an arrow.
  await draw(TWO, []);
  expect(visible()).toEqual(["a", "b"]);
});
