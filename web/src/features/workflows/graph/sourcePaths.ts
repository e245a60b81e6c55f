import type { Values } from "@/api/types";
import type { WorkflowDefinition, WorkflowStep } from "@/api/workflows/workflows";
import { stepsBefore } from "./needs";

const DEEPEST = 4;

export interface Field {
  path: string;
  type: unknown;
}

/** A schema's fields, outer ones first. */
function fieldsOf(schema: Values | null | undefined, before: string, depth = 0): Field[] {
  const properties = (schema?.properties ?? {}) as Record<string, Values>;
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${before}.${name}`;
    const own = { path, type: field.type };
    return depth < DEEPEST ? [own, ...fieldsOf(field, path, depth + 1)] : [own];
  });
}

/** What a step's input can be taken from: the workflow's input, and what steps before it give. */
export function fieldsFor(
  definition: WorkflowDefinition,
  id: string,
  agentSchemas: Record<string, Values | null | undefined>,
): Field[] {
  const before = stepsBefore(definition.steps, id);
  const outputs = definition.steps
    .filter((step) => before.has(step.id) && step.id !== id)
    .flatMap((step) => {
      const schema = step.output_schema ?? (step.agent ? agentSchemas[step.agent] : undefined);
      return outputsOf(step, schema);
    });
  return [...itemOf(definition, id), ...fieldsOf(definition.input_schema, "input"), ...outputs];
}

/** A step that runs once per item makes a list, whatever each of its runs makes. */
function outputsOf({ id, each }: WorkflowStep, schema: Values | null | undefined): Field[] {
  const path = `steps.${id}`;
  if (each) return [{ path, type: "array" }];
  const type = schema?.type;
  return type === undefined || type === "object" ? fieldsOf(schema, path) : [{ path, type }];
}

/** What a step with a run per item knows in each of them. */
function itemOf({ steps }: WorkflowDefinition, id: string): Field[] {
  const each = steps.find((step) => step.id === id)?.each;
  if (!each) return [];
  return [{ path: typeof each === "string" ? "item" : (each.as ?? "item"), type: undefined }];
}
