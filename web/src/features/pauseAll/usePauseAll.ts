import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { failed, said } from "@/ui/overlay/toast";

const stateKey = api.queryOptions("get", "/api/pause-all", {}).queryKey;

/** Whether everything is paused, by whom and why. Kept in step by the live cache. */
export const usePauseState = () => api.useQuery("get", "/api/pause-all", {}).data;

/** Pause everything, or let it go on. */
export function useSetPause() {
  const queries = useQueryClient();
  return api.useMutation("post", "/api/pause-all", {
    onSuccess: (state) => {
      queries.setQueryData(stateKey, state);
      // That it is paused stands in the banner.
      if (!state.enabled) said("Everything is running again.");
    },
    onError: failed,
  });
}
