// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { WorkflowDefinition, WorkflowProblem } from "@/api/workflows/workflows";
import Canvas, { type CanvasHandle } from "./Canvas";

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
const handle: { current: CanvasHandle | null } = { current: null };

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
  const props = { ref: handle, readOnly: false, narrow: false, onEdit: () => {}, onChoose: () => {} };
  const canvas = createElement(Canvas, { ...props, definition: shown, problems });
  return act(() => root.render(createElement(MantineProvider, { env: "test" }, canvas)));
};
const visible = () =>
  [...place.querySelectorAll<HTMLElement>(".react-flow__node")]
    .filter(({ style }) => style.visibility !== "hidden")
    .map(({ dataset }) => dataset.id);

const comesTo = (view: string) =>
  act(() =>
    vi.waitFor(() => expect(place.querySelector<HTMLElement>(".react-flow__viewport")?.style.transform).toBe(view)),
  );

it("what is drawn anew can be seen and connected at once, as before", async () => {
  await draw(TWO);
  expect(visible()).toEqual([]);
  await act(() => Observer.tell());
  expect(visible()).toEqual(["a", "b"]);
  // The check comes back, while somebody draws an arrow.
  await draw(TWO, []);
  expect(visible()).toEqual(["a", "b"]);
});

it("a step that is put beyond the edge moves the view just so far, and leaves the zoom", async () => {
  await draw(TWO);
  await act(() => Observer.tell());
  await comesTo("translate(284px,154px) scale(1)");
  await draw(definition({ a: { x: 0, y: 0 }, b: { x: 0, y: 200 }, c: { x: 700, y: 590 } }));
  await comesTo("translate(-140px,-90px) scale(1)");
});

it("the first step stays where it was dropped, however late the page had its first frame", async () => {
  const frames: (() => void)[] = [];
  vi.stubGlobal("requestAnimationFrame", (frame: () => void) => frames.push(frame));
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 800, 600));
  await draw(definition({}));
  await act(() => vi.waitFor(() => expect(handle.current?.placeAt({ x: 400, y: 300 })).not.toBeNull()));
  await act(() => frames.map((frame) => frame()));
  const dropped = definition({ a: { x: 91, y: 77 } });
  await draw(dropped);
  await act(() => Observer.tell());
  await draw({ ...dropped });
  // Longer than a view takes to move.
  await act(() => new Promise((resolve) => setTimeout(resolve, 400)));
  await comesTo("translate(0px,0px) scale(1)");
});
