import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";

/** The outside systems that agents can be given. How they are doing changes without an event, so it is read each time. */
export const useConnections = () =>
  api.useQuery("get", "/api/connections", { params: { query: { limit: 200 } } }, { staleTime: 0 });

export function useRereadConnections() {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: keyOf("/api/connections") }),
      queries.invalidateQueries({ queryKey: keyOf("/api/connections/{connection_id}/tools") }),
    ]);
}
