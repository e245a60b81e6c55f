import type { Values } from "@/api/types";
import type { WorkflowDefinition } from "@/api/workflows/workflows";
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
      return fieldsOf(schema, `steps.${step.id}`);
    });
  return [...fieldsOf(definition.input_schema, "input"), ...outputs];
}
