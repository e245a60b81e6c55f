import { http, newKey } from "@/api/client";
import type { Answer } from "@/api/types";
import { failed } from "@/ui/overlay/toast";

export interface LateAction {
  label: string;
  onClick: () => void;
}

/** Where the run ended for want of this answer, a new one can begin with it. */
export function lateAction(answer: Answer, state: Record<string, unknown>): LateAction | undefined {
  const onward = state.continue as { run_id: string; ask_id: string } | undefined;
  if (!onward || answer.value === undefined || answer.value === null) return undefined;
  // A second click is the same request.
  const key = newKey();
  return {
    label: "Start a new run with this answer",
    onClick: () => startWith(onward.run_id, onward.ask_id, answer.value, key).catch(failed),
  };
}

async function startWith(runId: string, askId: string, value: unknown, key: string): Promise<void> {
  const { data } = await http.POST("/api/runs/{run_id}/continue", {
    params: { path: { run_id: runId } },
    body: { instructions: "", answers: [{ ask_id: askId, value }] },
    headers: { "Idempotency-Key": key },
  });
  if (data) location.assign(`/runs/${data.id}`);
}
