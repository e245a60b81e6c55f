import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";

const LOOK_AGAIN = 30_000;

/** What runs by the clock. It moves on without an event, so it is read again now and then. */
export const useSchedules = () =>
  api.useQuery(
    "get",
    "/api/schedules",
    { params: { query: { limit: 200 } } },
    { staleTime: 0, refetchInterval: LOOK_AGAIN },
  );

export function useRereadSchedules() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: keyOf("/api/schedules") });
}
