import { type Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import type { WorkflowDefinition, WorkflowStep } from "@/api/workflows/workflows";
import { mergeLines } from "@/ui/text/mergeLines";

export type ReadWorkflow = { ok: true; definition: WorkflowDefinition } | { ok: false; line: number; reason: string };

/** The workflow that a text describes, as far as a canvas needs it; or why it cannot be drawn. */
export function readText(text: string): ReadWorkflow {
  const doc = parseDocument(text);
  const [error] = doc.errors;
  if (error)
    return { ok: false, line: error.linePos?.[0].line ?? 1, reason: error.message.split(/ at line |\n/)[0] ?? "" };
  if (!isMap(doc.contents)) return { ok: false, line: 1, reason: "The text must have keys, such as name and steps" };
  const read = doc.toJS() as Partial<WorkflowDefinition>;
  const steps = Array.isArray(read.steps) ? read.steps.filter(isStep) : [];
  return { ok: true, definition: { ...read, slug: read.slug ?? "", name: read.name ?? "", steps } };
}

const isStep = (step: unknown): step is WorkflowStep =>
  typeof step === "object" && step !== null && typeof (step as WorkflowStep).id === "string";

const WRITE = { lineWidth: 0, flowCollectionPadding: false } as const;

/** A list that stands right under its key, as in what the server writes. */
const FLUSH_LIST = /^steps:[^\S\n]*\n- /m;

/** Change the document that a text is; what does not change stays as it was written, with its comments. */
export function changeText(text: string, change: (doc: Document, root: YAMLMap) => void): string {
  // Written anew, a large number has to have all of its digits.
  const doc = parseDocument(text, { intAsBigInt: true });
  if (doc.errors.length > 0 || !isMap(doc.contents)) return text;
  const write = { ...WRITE, indentSeq: !FLUSH_LIST.test(text) };
  const plain = doc.toString(write);
  change(doc, doc.contents);
  const changed = doc.toString(write);
  const merged = mergeLines(text.split("\n"), plain.split("\n"), changed.split("\n")).join("\n");
  // Lines of two ways to indent may not go together: then all is written in one.
  return parseDocument(merged).errors.length > 0 ? changed : merged;
}

export function stepsIn(doc: Document, root: YAMLMap): YAMLSeq {
  const found = root.get("steps", true);
  if (isSeq(found)) {
    found.flow = found.flow && found.items.length > 0;
    return found;
  }
  const made = doc.createNode([]) as YAMLSeq;
  root.set("steps", made);
  return made;
}

export const stepNode = (steps: YAMLSeq, id: string): YAMLMap | undefined =>
  steps.items.find((item): item is YAMLMap => isMap(item) && item.get("id") === id);
