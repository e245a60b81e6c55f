import { layout as arrange, Graph } from "@dagrejs/dagre";
import type { WorkflowDefinition } from "@/api/workflows/workflows";
import { needsOf } from "./needs";

export const WIDTH = 232;
export const HEIGHT = 92;
/** With the buttons of a checkpoint. */
const TALL = 200;
const GAP_DOWN = 60;
const GAP_ACROSS = 36;
const GAP_COLUMNS = 72;
/** Between a step and one that was put there by hand: what is wrong with a step makes it a little higher. */
const GAP_LEAST = 24;
/** Of a usual window: what does not fit is put side by side, so that names can be read without zooming. */
const VIEW = { width: 680, height: 780 };

export interface Place {
  x: number;
  y: number;
}

/** Where each step stands: where somebody put it, else where the order of work puts it. */
export function placesOf(definition: WorkflowDefinition, narrow: boolean, tall?: Set<string>): Map<string, Place> {
  const { steps, layout } = definition;
  const rows = rowsOf(definition);
  const most = narrow ? 1 : rows.length;
  const tried = Array.from({ length: most }, (_, at) => folded(rows, at + 1, tall));
  const best = tried.reduce((one, other) => (other && one && other.zoom > one.zoom ? other : one), tried[0]);
  const arranged = best?.places ?? new Map<string, Place>();
  return narrow || !layout ? arranged : aside(arranged, layout, needsOf(steps), tall);
}

/** What was put by hand stands there. What it would cover, or stands over it but waits for it, goes down. */
function aside(
  arranged: Map<string, Place>,
  layout: Record<string, Place>,
  needs: Map<string, string[]>,
  tall?: Set<string>,
): Map<string, Place> {
  const height = (id: string) => (tall?.has(id) ? TALL : HEIGHT);
  const places = new Map([...arranged.keys()].flatMap((id) => (layout[id] ? [[id, layout[id]]] : [])));
  // From the top, so that those in a row go down in their order.
  for (const [id, { x, y: top }] of [...arranged].toSorted(([, one], [, other]) => one.y - other.y)) {
    if (places.has(id)) continue;
    const beside = [...places]
      .filter(([, other]) => Math.abs(other.x - x) < WIDTH + GAP_LEAST)
      .map(([other, { y: from }]) => ({ from, to: from + height(other), first: !!needs.get(id)?.includes(other) }));
    const inTheWay = (y: number) =>
      beside.find(({ from, to, first }) => y < to + GAP_LEAST && (first || y + height(id) + GAP_LEAST > from));
    let y = top;
    for (let other = inTheWay(y); other; other = inTheWay(y)) y = other.to + GAP_DOWN;
    places.set(id, { x, y });
  }
  return places;
}

/** The rows in so many columns side by side, and how large that can be drawn. */
function folded(rows: Placed[][], columns: number, tall?: Set<string>): { places: Map<string, Place>; zoom: number } {
  const perColumn = Math.ceil(rows.length / columns);
  const places = new Map<string, Place>();
  let [left, bottom] = [0, 0];
  for (let first = 0; first < rows.length; first += perColumn) {
    const column = rows.slice(first, first + perColumn).map((row) => (columns === 1 ? row : closed(row)));
    const across = column.flat().map(({ x }) => x);
    const least = Math.min(...across);
    let top = 0;
    for (const row of column) {
      for (const { id, x } of row) places.set(id, { x: left + x - least, y: top });
      top += (row.some(({ id }) => tall?.has(id)) ? TALL : HEIGHT) + GAP_DOWN;
    }
    left += Math.max(...across) - least + WIDTH + GAP_COLUMNS;
    bottom = Math.max(bottom, top);
  }
  return { places, zoom: Math.min(1, VIEW.width / left, VIEW.height / bottom) };
}

/** A row without the room that other rows leave in it. */
const closed = (row: Placed[]): Placed[] =>
  row.map(({ id }, at) => ({ id, x: (at - (row.length - 1) / 2) * (WIDTH + GAP_ACROSS) }));

interface Placed {
  id: string;
  x: number;
}

/** The steps by how far down they come, those of one row from left to right. */
function rowsOf({ steps }: WorkflowDefinition): Placed[][] {
  const graph = new Graph();
  graph.setGraph({ rankdir: "TB", nodesep: GAP_ACROSS, ranksep: GAP_DOWN });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of steps) graph.setNode(id, { width: WIDTH, height: HEIGHT });
  // An edge to what is not there would make it.
  for (const [to, needs] of needsOf(steps)) for (const from of needs) if (graph.hasNode(from)) graph.setEdge(from, to);
  arrange(graph);
  const rows = new Map<number, Placed[]>();
  for (const id of new Set(steps.map((step) => step.id))) {
    const { x, y } = graph.node(id) as Place;
    rows.set(y, [...(rows.get(y) ?? []), { id, x }]);
  }
  const sorted = [...rows].toSorted(([one], [other]) => one - other);
  return sorted.map(([, row]) => row.toSorted((one, other) => one.x - other.x));
}
