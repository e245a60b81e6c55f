import { useQueryClient } from "@tanstack/react-query";
import type { Call } from "@/api/types";
import { said } from "@/ui/overlay/toast";

/** Nobody undoes by what they saw a while ago. */
export const AS_IT_IS_NOW = { retry: false, staleTime: 0, gcTime: 0 };

/** What follows once calls that take others back were made. */
export function useUndone(onClose: () => void): (made: Call[]) => void {
  const queries = useQueryClient();
  return (made) => {
    const waits = made.some(({ status }) => status === "waiting");
    said(waits ? "Someone has to agree first: it is in the inbox." : "It is being undone.");
    queries.invalidateQueries({ queryKey: ["get", "/api/runs/{run_id}/messages"] });
    onClose();
  };
}
