import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { http } from "@/api/client";
import { onEvent } from "@/api/live/useLive";
import type { components } from "@/api/schema";
import type { Ask, Deliverable, Page } from "@/api/types";

type Dashboard = components["schemas"]["Dashboard"];

export const SHOWN = 5;
const RESULTS = 3;
// The keys stand among the runs', so that what happens to any run refreshes them.
const BOARD = ["get", "/api/runs", "dashboard"];
const ASKS = [...BOARD, "asks"];

export function useDashboard() {
  return useQuery({
    queryKey: BOARD,
    queryFn: async ({ signal }) => (await http.GET("/api/runs/dashboard", { signal })).data as Dashboard,
  });
}

/** The asks that have waited longest, and how many there are. */
export function useWaiting() {
  const queries = useQueryClient();
  useEffect(
    () => onEvent(({ type }) => /^ask\.(?!viewing)/.test(type) && queries.invalidateQueries({ queryKey: ASKS })),
    [queries],
  );
  return useQuery({
    queryKey: ASKS,
    queryFn: async ({ signal }) => {
      const query = { status: "pending", limit: SHOWN } as const;
      return (await http.GET("/api/asks", { params: { query }, signal })).data as Page<Ask>;
    },
  });
}

/** What was handed over last. */
export function useResults(): Deliverable[] {
  const results = useQuery({
    queryKey: [...BOARD, "results"],
    queryFn: async ({ signal }) =>
      (await http.GET("/api/deliverables", { params: { query: { limit: RESULTS } }, signal }))
        .data as Page<Deliverable>,
  });
  return results.data?.items ?? [];
}
