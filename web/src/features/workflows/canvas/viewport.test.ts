import { expect, it } from "vitest";
import { HEIGHT, WIDTH } from "../graph/layout";
import { viewOf } from "./viewport";

const ROOM = { width: 800, height: 600 };
const VIEW = { x: 40, y: 20, zoom: 0.66 };

it("the view stays where a step was let go that can be seen", () => {
  expect(viewOf([{ x: 300, y: 300 }], VIEW, ROOM)).toEqual(VIEW);
});

it("near an edge the view moves as far as shows the step, and keeps its zoom", () => {
  const low = { x: (800 * 0.8 - 40) / 0.66, y: (600 * 0.93 - 20) / 0.66 };
  const view = viewOf([low], VIEW, ROOM);
  expect(view?.zoom).toBe(0.66);
  expect((low.x + WIDTH) * 0.66 + (view?.x ?? 0)).toBeCloseTo(792);
  expect((low.y + HEIGHT) * 0.66 + (view?.y ?? 0)).toBeCloseTo(592);
  const aside = { x: -200, y: 300 };
  expect(viewOf([aside], VIEW, ROOM)).toEqual({ x: 8 + 200 * 0.66, y: 20, zoom: 0.66 });
});

it("steps that are too far apart to be seen with this zoom have no such view", () => {
  expect(
    viewOf(
      [
        { x: 0, y: 0 },
        { x: 0, y: 2000 },
      ],
      VIEW,
      ROOM,
    ),
  ).toBeNull();
});
