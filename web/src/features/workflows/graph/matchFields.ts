import type { Values } from "@/api/types";
import type { Source, WorkflowDefinition } from "@/api/workflows/workflows";
import { fieldsFor } from "./sourcePaths";

/** Fields that a step wants and does not get yet, filled from those before it with the same name and a type that fits. */
export function matchFields(
  definition: WorkflowDefinition,
  id: string,
  wanted: Values | null | undefined,
  schemas: Record<string, Values | null | undefined>,
): Record<string, Source> {
  const given = definition.steps.find((step) => step.id === id)?.input ?? {};
  // What was made last is what was meant.
  const there = fieldsFor(definition, id, schemas).toReversed();
  const properties = (wanted?.properties ?? {}) as Record<string, Values>;
  const found: Record<string, Source> = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (name in given) continue;
    const match = there.find(({ path, type }) => path.split(".").at(-1) === name && fits(type, schema.type));
    if (match) found[name] = match.path;
  }
  return found;
}

const NUMBERS = ["integer", "number"];

/** What is not said may be anything. */
function fits(found: unknown, wanted: unknown): boolean {
  if (found === undefined || wanted === undefined) return true;
  const [ones, others] = [found, wanted].map((each) => (Array.isArray(each) ? each : [each]) as string[]);
  return (ones ?? []).some(
    (one) => others?.includes(one) || (NUMBERS.includes(one) && others?.some((o) => NUMBERS.includes(o))),
  );
}
