import { describe, expect, it } from "vitest";
import { placesOf } from "../graph/layout";
import { mayConnect, needsOf } from "../graph/needs";
import { fieldsFor } from "../graph/sourcePaths";
import { addStep, arrangeAnew, connect, disconnect, freeId, moveStep, putStep, removeStep } from "./stepChanges";
import { readText } from "./workflowText";

const TEXT = `# Triage of tickets
slug: triage
name:   Ticket triage   # as people call it
input_schema: {type: object, properties: {ticket: {type: object, properties: {title: {type: string}}}}}
steps:
  - id: classify   # first
    agent: classifier
  # then the rest
  - id: route
    agent: "router"
  - id: answer
    agent: writer
`;

const definition = (text: string) => {
  const read = readText(text);
  if (!read.ok) throw new Error(read.reason);
  return read.definition;
};
const needs = (text: string) => Object.fromEntries(needsOf(definition(text).steps));

describe("a change on the canvas", () => {
  it("keeps all that it does not touch, with spaces and comments", () => {
    const changed = putStep(TEXT, "route", { task: "Find the team" });
    expect(changed).toBe(TEXT.replace('"router"\n', '"router"\n    task: Find the team\n'));
  });
  it("keeps all digits of a number that stands in a line with what is changed", () => {
    const input = "{id: {const: 12345678901234567890}, n: {const: 7}, to: old}";
    const text = `slug: a\nname: A\nsteps:\n  - id: x\n    agent: writer\n    input: ${input}\n`;
    const given = definition(text).steps[0]?.input ?? {};
    const changed = putStep(text, "x", { input: { ...given, n: { const: 8 }, to: "new" } });
    expect(changed).toBe(text.replace("old", "new").replace("const: 7", "const: 8"));
  });
  it("adds a step with an id of its own", () => {
    const { text, id } = addStep(TEXT, { agent: "writer", needs: [] });
    expect(id).toBe("writer");
    expect(text.startsWith(TEXT)).toBe(true);
    expect(needs(text).writer).toEqual([]);
    expect(freeId("writer", ["writer"])).toBe("writer-2");
  });
  it("adds the first step to a workflow without any", () => {
    const { text } = addStep("slug: a\nname: A\nsteps: []\n", { agent: "writer" });
    expect(text).toBe(
      "slug: a\nname: A\nsteps:\n  - agent: writer\n    id: writer\n".replace(
        "agent: writer\n    id: writer",
        "id: writer\n    agent: writer",
      ),
    );
  });
  it("goes on where lists stand right under their keys, as the server writes them", () => {
    const flush = "slug: a\nname: A\nsteps:\n- id: read\n  agent: reader\n  input:\n    text: input.text\n";
    const { text } = addStep(flush, { agent: "writer" });
    expect(text).toBe(`${flush}- id: writer\n  agent: writer\n`);
    expect(definition(putStep(text, "writer", { needs: [] })).steps).toHaveLength(2);
  });
  it("writes no needs where sequence says the same", () => {
    const apart = disconnect(TEXT, "route", "answer");
    expect(needs(apart).answer).toEqual([]);
    expect(connect(apart, "route", "answer")).toBe(TEXT);
    expect(needs(connect(TEXT, "classify", "answer")).answer).toEqual(["route", "classify"]);
  });
  it("closes the gap that a removed step leaves", () => {
    const left = removeStep(TEXT, "route");
    expect(needs(left)).toEqual({ classify: [], answer: ["classify"] });
    expect(left).toContain("# as people call it");
  });
  it("remembers where a step was put, until all is arranged anew", () => {
    const moved = moveStep(TEXT, "route", { x: 10.4, y: 20 });
    expect(placesOf(definition(moved), false).get("route")).toEqual({ x: 10, y: 20 });
    expect(arrangeAnew(moved)).toBe(TEXT);
  });
});

describe("the graph", () => {
  it("goes down, and on in a column beside it before it is too long to read", () => {
    const three = placesOf(definition(TEXT), false);
    expect(three.get("answer")?.y).toBeGreaterThan(three.get("route")?.y ?? 0);
    const twenty = { slug: "a", name: "A", steps: Array.from({ length: 20 }, (_, at) => ({ id: `s${at}` })) };
    const wide = [...placesOf(twenty, false).values()];
    expect(new Set(wide.map(({ x }) => x)).size).toBe(3);
    expect(new Set(wide.map(({ x, y }) => `${x} ${y}`)).size).toBe(20);
    expect(new Set([...placesOf(twenty, true).values()].map(({ x }) => x)).size).toBe(1);
  });
  it("can be drawn with a circle and with a step that is not there", () => {
    const round = {
      slug: "a",
      name: "A",
      steps: [
        { id: "a", needs: ["b"] },
        { id: "b", needs: ["a", "gone"] },
      ],
    };
    expect(placesOf(round, false).size).toBe(2);
  });
  it("has no circle", () => {
    const { steps } = definition(TEXT);
    expect(mayConnect(steps, "answer", "classify")).toBe(false);
    expect(mayConnect(steps, "classify", "answer")).toBe(true);
  });
  it("offers what comes before a step", () => {
    const schemas = { classifier: { properties: { kind: { type: "string" } } }, writer: { properties: { no: {} } } };
    expect(fieldsFor(definition(TEXT), "route", schemas).map(({ path }) => path)).toEqual([
      "input.ticket",
      "input.ticket.title",
      "steps.classify.kind",
    ]);
  });
  it("offers what a step with a run per item makes as a list, and inside of it the item", () => {
    const each = {
      slug: "a",
      name: "A",
      steps: [
        { id: "many", agent: "writer", each: { path: "rows", as: "row" }, output_schema: { properties: { text: {} } } },
        { id: "names", agent: "writer", output_schema: { type: "array" } },
        { id: "last", agent: "writer", each: "names" },
      ],
    };
    expect(fieldsFor(each, "many", {}).map(({ path }) => path)).toEqual(["row"]);
    expect(fieldsFor(each, "last", {}).map(({ path }) => path)).toEqual(["item", "steps.many", "steps.names"]);
  });
  it("says where a text cannot be read", () => {
    expect(readText("steps: [")).toMatchObject({ ok: false });
  });
});
