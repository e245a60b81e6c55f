import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { Run } from "@/api/types";
import { hasEnded } from "@/ui/domain/runs/runStatus";
import { failed, said } from "@/ui/overlay/toast";

/** Everything that can be done to a run. What makes a new run goes there. */
export function useRunActions(run: Run) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const params = { path: { run_id: run.id } };
  const refresh = () => {
    queries.invalidateQueries({ queryKey: ["get", "/api/runs"] });
    return queries.invalidateQueries({ queryKey: ["get", "/api/runs/{run_id}", { params }] });
  };
  const steer = { onSuccess: refresh, onError: failed };
  const begin = {
    onSuccess: (made: Run) => navigate({ to: "/runs/$runId", params: { runId: made.id } }),
    onError: failed,
  };
  const gone = {
    onSuccess: () => {
      said(`Deleted: ${run.title}`);
      queries.invalidateQueries({ queryKey: ["get", "/api/runs"] });
      return navigate({ to: "/runs" });
    },
    onError: failed,
  };
  const mutations = {
    pause: api.useMutation("post", "/api/runs/{run_id}/pause", steer),
    resume: api.useMutation("post", "/api/runs/{run_id}/resume", steer),
    "skip-clarification": api.useMutation("post", "/api/runs/{run_id}/skip-clarification", steer),
    complete: api.useMutation("post", "/api/runs/{run_id}/complete", steer),
    cancel: api.useMutation("post", "/api/runs/{run_id}/cancel", steer),
  };
  const onward = api.useMutation("post", "/api/runs/{run_id}/continue", begin);
  const again = api.useMutation("post", "/api/runs/{run_id}/retry", begin);
  const remove = api.useMutation("delete", "/api/runs/{run_id}", gone);
  const all = [...Object.values(mutations), onward, again, remove];
  return {
    pending: all.some(({ isPending }) => isPending),
    start: (action: Action, onDone?: () => void) => {
      if (action in mutations)
        mutations[action as keyof typeof mutations].mutate({ params }, { onSuccess: () => onDone?.() });
    },
    onward: (instructions: string) => onward.mutate({ params, body: { instructions } }),
    again: (from: "start" | "last_good") => again.mutate({ params, body: { from } }),
    remove: () => remove.mutate({ params }),
  };
}

export type RunMutations = ReturnType<typeof useRunActions>;

export type Action =
  | "pause"
  | "resume"
  | "skip-clarification"
  | "complete"
  | "cancel"
  | "continue"
  | "retry"
  | "restart"
  | "delete";

/** What a person may do to a run in its state, the most likely first. Only an admin may delete. */
export function actionsFor(run: Pick<Run, "status" | "kind">, admin: boolean): Action[] {
  const drop: Action[] = admin ? ["delete"] : [];
  // New instructions are for an agent: a workflow is only run again.
  const onward: Action[] = run.kind === "agent" ? ["continue"] : [];
  if (run.status === "failed") return ["retry", ...onward, "restart", ...drop];
  if (hasEnded(run)) return [...onward, "retry", ...drop];
  const clarifying: Action[] = run.status === "clarifying" ? ["skip-clarification"] : [];
  return [run.status === "paused" ? "resume" : "pause", ...clarifying, "complete", "cancel"];
}
