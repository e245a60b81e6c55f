import type { Ask, Values } from "@/api/types";

export type Step = NonNullable<Ask["plan"]>["steps"][number];

/** What a person made of a plan: which steps stay out, and which have other arguments. */
export interface Choice {
  left: ReadonlySet<string>;
  edits: ReadonlyMap<string, Values>;
}

export const WHOLE: Choice = { left: new Set(), edits: new Map() };

export const chosen = (steps: Step[], { left }: Choice): Step[] => steps.filter(({ id }) => !left.has(id));

export function toggled(choice: Choice, id: string): Choice {
  const left = new Set(choice.left);
  if (!left.delete(id)) left.add(id);
  return { ...choice, left };
}

export function edited(choice: Choice, step: Step, values: Values | null): Choice {
  const edits = new Map(choice.edits);
  if (values && JSON.stringify(values) !== JSON.stringify(step.arguments)) edits.set(step.id, values);
  else edits.delete(step.id);
  return { ...choice, edits };
}

/** The steps as the API takes them: absent for all as proposed, ids, or steps with other arguments. */
export function stepsToSend(steps: Step[], choice: Choice): unknown[] | undefined {
  if (choice.left.size === 0 && choice.edits.size === 0) return undefined;
  return chosen(steps, choice).map(({ id }) => {
    const values = choice.edits.get(id);
    return values ? { id, arguments: values } : id;
  });
}

export function planLabel(steps: Step[], choice: Choice): string {
  const count = chosen(steps, choice).length;
  if (count === 0) return "Choose a step";
  if (count === steps.length) return steps.length === 1 ? "Approve the step" : `Approve all ${steps.length} steps`;
  return `Approve ${count} of ${steps.length} steps`;
}

/** The choice that was sent as these steps. */
export function choiceOf(steps: Step[], sent: unknown[] | null | undefined): Choice {
  if (!sent) return WHOLE;
  const given = new Map<string, Values | null>(
    sent.map((each) => {
      if (typeof each === "string") return [each, null];
      const { id, arguments: values } = each as { id: string; arguments: Values };
      return [id, values];
    }),
  );
  const left = new Set(steps.map(({ id }) => id).filter((id) => !given.has(id)));
  const edits = new Map([...given].flatMap(([id, values]) => (values ? [[id, values] as const] : [])));
  return { left, edits };
}
