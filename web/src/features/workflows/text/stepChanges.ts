import { type Document, isMap, type YAMLMap, type YAMLSeq } from "yaml";
import type { WorkflowDefinition, WorkflowStep } from "@/api/workflows/workflows";
import { putValue } from "@/ui/text/putValue";
import { defaultNeeds, needsOf } from "../graph/needs";
import { changeText, readText, stepNode, stepsIn } from "./workflowText";

const MOST_LETTERS = 40;

/** A name that nothing else has, made from another one. Where conditions name it, `joint` is no minus. */
export function freeId(name: string, taken: string[], joint: "-" | "_" = "-"): string {
  const kept = joint === "-" ? /[^a-z0-9_-]+/g : /[^a-z0-9_]+/g;
  const plain = name.toLowerCase().replace(kept, joint);
  const base = (/^[a-z]/.test(plain) ? plain : `step${joint}${plain}`).slice(0, MOST_LETTERS - 3).replace(/[-_]+$/, "");
  if (!taken.includes(base)) return base;
  let number = 2;
  while (taken.includes(`${base}${joint}${number}`)) number++;
  return `${base}${joint}${number}`;
}

const stepsOf = (text: string): WorkflowStep[] => {
  const read = readText(text);
  return read.ok ? read.definition.steps : [];
};

/** Put a step at the end. One with `needs` says what it waits for, else it follows the last. */
export function addStep(text: string, step: Omit<WorkflowStep, "id"> & { id?: string }): { text: string; id: string } {
  const taken = stepsOf(text).map(({ id }) => id);
  const id = freeId(step.id ?? step.agent ?? step.workflow ?? step.tool ?? "step", taken, "_");
  const needs = taken.length === 0 ? undefined : step.needs;
  const made = { ...step, id: undefined, needs };
  const changed = changeText(text, (doc, root) => {
    const whole = Object.fromEntries(Object.entries({ ...made, id }).filter(([, value]) => value !== undefined));
    const node = doc.createNode({ id, ...whole }) as YAMLMap;
    const list = node.get("needs", true) as YAMLSeq | undefined;
    if (list) list.flow = true;
    stepsIn(doc, root).add(node);
  });
  return { text: changed, id };
}

/** Change fields of a step; `undefined` takes one away. */
export function putStep(text: string, id: string, fields: Partial<WorkflowStep>): string {
  return changeText(text, (doc, root) => {
    const node = stepNode(stepsIn(doc, root), id);
    if (node) for (const [key, value] of Object.entries(fields)) putValue(doc, node, key, value);
  });
}

/** Change what the workflow says of itself. */
export const putWorkflow = (text: string, fields: Partial<WorkflowDefinition>): string =>
  changeText(text, (doc, root) => {
    for (const [key, value] of Object.entries(fields)) putValue(doc, root, key, value);
  });

/** What waits for a removed step waits for what that waited for. */
export function removeStep(text: string, id: string): string {
  const needs = needsOf(stepsOf(text));
  const over = needs.get(id) ?? [];
  const left = stepsOf(text).filter((step) => step.id !== id);
  return changeText(text, (doc, root) => {
    const steps = stepsIn(doc, root);
    steps.items = steps.items.filter((item) => !(isMap(item) && item.get("id") === id));
    if (root.hasIn(["layout", id])) root.deleteIn(["layout", id]);
    for (const [at, step] of left.entries()) {
      const wanted = [...new Set((needs.get(step.id) ?? []).flatMap((each) => (each === id ? over : [each])))];
      putNeeds(doc, steps, step.id, wanted, left[at - 1]?.id);
    }
  });
}

export const connect = (text: string, from: string, to: string): string =>
  changeNeeds(text, to, (needs) => [...needs.filter((each) => each !== from), from]);

export const disconnect = (text: string, from: string, to: string): string =>
  changeNeeds(text, to, (needs) => needs.filter((each) => each !== from));

function changeNeeds(text: string, id: string, change: (needs: string[]) => string[]): string {
  const all = stepsOf(text);
  const at = all.findIndex((step) => step.id === id);
  if (at < 0) return text;
  const wanted = change(needsOf(all).get(id) ?? []);
  return changeText(text, (doc, root) => putNeeds(doc, stepsIn(doc, root), id, wanted, all[at - 1]?.id));
}

/** Sequence is the default, so it is not written. */
function putNeeds(doc: Document, steps: YAMLSeq, id: string, needs: string[], before: string | undefined): void {
  const node = stepNode(steps, id);
  const usual = defaultNeeds(before);
  const isUsual = needs.length === usual.length && needs.every((each, at) => each === usual[at]);
  if (node) putValue(doc, node, "needs", isUsual ? undefined : needs);
}

export const moveStep = (text: string, id: string, { x, y }: { x: number; y: number }): string =>
  changeText(text, (doc, root) => {
    const layout = (root.get("layout") as YAMLMap | undefined)?.toJSON() as object | undefined;
    putValue(doc, root, "layout", { ...layout, [id]: { x: Math.round(x), y: Math.round(y) } });
  });

export const arrangeAnew = (text: string): string => changeText(text, (_, root) => void root.delete("layout"));
