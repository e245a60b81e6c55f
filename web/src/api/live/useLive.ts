import { useSyncExternalStore } from "react";
import { http, queries } from "../client";
import type { Run } from "../types";
import type { Connection, SignoffEvent } from "./eventStream";
import { LiveCache } from "./liveCache";
import { SharedStream } from "./sharedStream";

type Listener = (event: SignoffEvent) => void;

let connection: Connection = "connecting";
const listeners = new Set<Listener>();
const watchers = new Set<() => void>();
const live = new LiveCache(queries, async (runId) => {
  const { data } = await http.GET("/api/runs/{run_id}", { params: { path: { run_id: runId } } });
  return data as Run;
});

const stream = new SharedStream({
  onEvent: (event) => {
    live.apply(event);
    for (const listener of listeners) listener(event);
  },
  onConnection: (state, since) => {
    connection = state;
    if (state === "open") live.caughtUp(since);
    for (const watcher of watchers) watcher();
  },
});

/** Follow the events of a workspace as one person; starting twice is starting once. */
export function startLive(identity: string): void {
  stream.start(identity);
  window.addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);
}

export function stopLive(): void {
  stream.stop();
  window.removeEventListener("online", hurry);
  document.removeEventListener("visibilitychange", hurry);
}

function hurry(): void {
  if (!document.hidden) stream.hurry();
}

export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How the connection is. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => connection,
  );
}
