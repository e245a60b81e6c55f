import type { WorkflowStep } from "@/api/workflows/workflows";

/** What a workflow has beside agents in a row, in a few words each. */
export function traitsOf(steps: WorkflowStep[]): string[] {
  const checkpoints = steps.filter(({ checkpoint }) => checkpoint).length;
  const words: [boolean, string][] = [
    [checkpoints > 0, checkpoints === 1 ? "1 checkpoint" : `${checkpoints} checkpoints`],
    [steps.some(({ each }) => each), "A run for each item"],
    [steps.some(({ when }) => when), "Conditions"],
    [steps.some(({ workflow }) => workflow), "Starts other workflows"],
  ];
  return words.filter(([has]) => has).map(([, word]) => word);
}
