import { type Edge, MarkerType } from "@xyflow/react";
import type { RunStep, WorkflowStep } from "@/api/workflows/workflows";
import { needsOf } from "./needs";

/** What goes from step to step: while a run is watched, with what it handed on. */
export const edgesOf = (steps: WorkflowStep[], states?: Map<string, RunStep>): Edge[] =>
  [...needsOf(steps)].flatMap(([target, needs]) =>
    needs.map((source) => {
      const given = states?.get(source);
      return {
        id: `${source} ${target}`,
        source,
        target,
        type: "smoothstep",
        animated: states?.get(target)?.status === "running",
        label: given?.status === "succeeded" ? dataWords(given.output) : undefined,
        ariaLabel: `${target} waits for ${source}`,
        markerEnd: { type: MarkerType.ArrowClosed },
      };
    }),
  );

const MOST_NAMES = 2;

/** What a step handed on, in a few words. */
export function dataWords(output: unknown): string | undefined {
  if (output === null || output === undefined) return undefined;
  if (Array.isArray(output)) return output.length === 1 ? "1 item" : `${output.length} items`;
  if (typeof output !== "object") return String(output).slice(0, 24);
  const names = Object.keys(output);
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` + ${more}` : "") || undefined;
}
