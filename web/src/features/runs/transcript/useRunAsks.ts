import { useMemo } from "react";
import { api, http } from "@/api/client";
import type { Ask, Page, Run } from "@/api/types";
import { useGrowingList } from "./growingList";

const PAGE = 200;
const ALL = Number.POSITIVE_INFINITY;

export interface RunAsks {
  open: Ask[];
  /** Everything asked so far, by id. */
  known: Map<string, Ask>;
}

/** What the run asks now, and what it has ever asked. The open ones are read apart: they must not wait for the past. */
export function useRunAsks(run: Run): RunAsks {
  const params = { path: { run_id: run.id } };
  const open = api.useQuery("get", "/api/runs/{run_id}/asks", {
    params: { ...params, query: { status: "pending", limit: PAGE } },
  }).data?.items;
  const past = useGrowingList<Ask>(
    ["get", "/api/runs/{run_id}/asks", { params }, "grown"],
    {
      fetchPage: (cursor, signal) => fetchAsks(run.id, cursor, signal),
      isSettled: ({ status }) => status !== "pending",
    },
    ALL,
  ).data;
  return useMemo(() => {
    const asked = past?.pages.flatMap(({ items }) => items) ?? [];
    return { open: open ?? [], known: new Map([...asked, ...(open ?? [])].map((ask) => [ask.id, ask])) };
  }, [open, past]);
}

async function fetchAsks(runId: string, cursor: string | null, signal?: AbortSignal): Promise<Page<Ask>> {
  const { data } = await http.GET("/api/runs/{run_id}/asks", {
    params: { path: { run_id: runId }, query: { limit: PAGE, cursor } },
    signal,
  });
  return data as Page<Ask>;
}
