import { expect, it } from "vitest";
import type { WorkflowDefinition, WorkflowStep } from "@/api/workflows/workflows";
import { HEIGHT, type Place, placesOf, WIDTH } from "./layout";

const workflow = (steps: WorkflowStep[], layout?: Record<string, Place>): WorkflowDefinition => ({
  slug: "w",
  name: "W",
  steps,
  layout,
});
/** The same numbers each time, between 0 and 1. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 48271) % 2147483647;
    yield state / 2147483647;
  }
}
/** A few steps, some of which wait for others, and some of which somebody put anywhere. */
function made(seed: number): WorkflowDefinition {
  const from = numbers(seed * 7919 + 1);
  const below = (most: number) => Math.floor(from.next().value * most);
  const steps = Array.from({ length: 2 + below(14) }, (_, at): WorkflowStep => {
    const needs = at > 0 ? [undefined, undefined, [], [`s${below(at)}`]][below(4)] : undefined;
    return { id: `s${at}`, agent: "writer", needs };
  });
  const byHand = steps.filter(() => below(2) === 0).map(({ id }) => [id, { x: below(800) - 100, y: below(900) - 100 }]);
  return workflow(steps, Object.fromEntries(byHand));
}
const covers = (one: Place, other: Place, height = HEIGHT) =>
  Math.abs(one.x - other.x) < WIDTH && Math.abs(one.y - other.y) < height;

it("what nobody put anywhere covers nothing, and what somebody put stays there", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const definition = made(seed);
    const layout = definition.layout ?? {};
    const places = [...placesOf(definition, false)];
    expect(places.map(([id]) => id).toSorted()).toEqual(definition.steps.map(({ id }) => id).toSorted());
    expect(Object.fromEntries(places)).toMatchObject(layout);
    const covered = places
      .filter(([id]) => !(id in layout))
      .flatMap(([id, place]) =>
        places.filter(([other, there]) => other !== id && covers(place, there)).map(([other]) => `${id} ${other}`),
      );
    expect(covered, JSON.stringify(definition)).toEqual([]);
  }
});

it("a step that is as high as its open checkpoint is not covered either", () => {
  const steps = ["a", "b", "c"].map((id) => ({ id, agent: "writer" }));
  const places = placesOf(workflow(steps, { a: { x: 0, y: 100 } }), false, new Set(["a"]));
  expect(places.get("b")?.y).toBeGreaterThan(300);
  expect(places.get("c")?.y).toBeGreaterThan((places.get("b")?.y ?? 0) + HEIGHT);
});

it("a step that somebody moves takes none along that it does not cover", () => {
  const steps = ["a", "b", "c"].map((id) => ({ id, agent: "writer" }));
  const before = placesOf(workflow(steps), false);
  for (const place of [
    { x: 600, y: 40 },
    { x: 0, y: -50 },
    { x: -20, y: 10 },
  ])
    expect(placesOf(workflow(steps, { a: place }), false)).toEqual(new Map([...before, ["a", place]]));
});

it("what waits for a step stands under it, not over it", () => {
  const steps: WorkflowStep[] = [{ id: "a" }, { id: "b", needs: [] }, { id: "c" }, { id: "d" }];
  const places = placesOf(workflow(steps, { a: { x: 100, y: 50 }, b: { x: 100, y: 300 } }), false);
  const down = ["a", "b", "c", "d"].map((id) => places.get(id)?.y ?? 0);
  expect(down).toEqual(down.toSorted((one, other) => one - other));
});

it("on a phone all is arranged", () => {
  const steps = ["a", "b"].map((id) => ({ id, agent: "writer" }));
  expect(placesOf(workflow(steps, { a: { x: 0, y: 0 }, b: { x: 0, y: 0 } }), true)).toEqual(
    placesOf(workflow(steps), true),
  );
});
