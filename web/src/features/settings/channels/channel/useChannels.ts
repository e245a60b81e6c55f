import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";

/** The ways to reach people here. How they are doing changes without an event, so it is read each time. */
export const useChannels = () =>
  api.useQuery("get", "/api/channels", { params: { query: { limit: 200 } } }, { staleTime: 0 });

export function useRereadChannels() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: keyOf("/api/channels") });
}
