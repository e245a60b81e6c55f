import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { http } from "@/api/client";
import { onEvent } from "@/api/live/useLive";
import { isProblem } from "@/api/problems";

// The server lists no more files, and gives no more of one.
const MOST_FILES = 1_000;
export const MOST_BYTES = 512 * 1024;

/** The place in a run's folder that a path names, as the server finds it: `./a`, `a//b` and `x/../a` included. */
export function placeOf(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** The file that a path of a run leads to, as it is now; `null` where there is none. */
export function useFile(runId: string, path: string) {
  const file = useQuery({
    queryKey: ["file", runId, path],
    retry: false,
    queryFn: ({ signal }) => readFile(runId, path, signal),
  });
  const { refetch } = file;
  // Another call of the run may have written it meanwhile.
  useEffect(
    () =>
      onEvent(({ type, run_id }) => {
        if (type === "call.finished" && run_id === runId) refetch();
      }),
    [runId, refetch],
  );
  return file;
}

async function readFile(runId: string, path: string, signal: AbortSignal): Promise<string | null> {
  const place = { run_id: runId };
  const { data: list } = await http.GET("/api/runs/{run_id}/files", { params: { path: place }, signal });
  const files = list?.items ?? [];
  // Asking for what is known to be missing would only be an error in the browser's console.
  if (files.length < MOST_FILES && !files.some((file) => file.path === placeOf(path))) return null;
  try {
    const params = { path: place, query: { path } };
    const { data } = await http.GET("/api/runs/{run_id}/files/content", { params, signal, parseAs: "text" });
    return data ?? "";
  } catch (error) {
    if (isProblem(error, 404)) return null;
    throw error;
  }
}
