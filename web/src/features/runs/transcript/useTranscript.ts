import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { http } from "@/api/client";
import { onEvent } from "@/api/live/useLive";
import type { Ask, Call, Message, Page, Run } from "@/api/types";
import { isInTranscript } from "./callWords";
import { useGrowingList } from "./growingList";

const PAGE = 100;
const TOGETHER_MS = 150;
const OVER = new Set(["succeeded", "failed", "denied"]);

/** Calls come with their messages; a message is settled when its calls are. */
const isSettled = ({ calls = [] }: Message): boolean => calls.every(({ status }) => OVER.has(status));

/** The run's messages, as many pages as wanted, kept in step with what happens. */
export function useTranscript(run: Run, wanted: number) {
  const key = ["get", "/api/runs/{run_id}/messages", { params: { path: { run_id: run.id } } }, "grown"];
  useCallsHeard(run.id);
  return useGrowingList<Message>(
    key,
    { fetchPage: (cursor, signal) => fetchMessages(run.id, cursor, signal), isSettled },
    wanted,
  );
}

async function fetchMessages(runId: string, cursor: string | null, signal?: AbortSignal): Promise<Page<Message>> {
  const { data } = await http.GET("/api/runs/{run_id}/messages", {
    params: { path: { run_id: runId }, query: { limit: PAGE, cursor } },
    signal,
  });
  return data as Page<Message>;
}

/** What happens to a call is read with its message. */
function useCallsHeard(runId: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvent((event) => {
      // How far a call has come changes nothing that is stored, and may be told many times in a second.
      if (event.run_id !== runId || event.type === "call.progress" || !/^(call|ask)\./.test(event.type)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        queries.invalidateQueries({
          queryKey: ["get", "/api/runs/{run_id}/messages", { params: { path: { run_id: runId } } }],
        });
      }, TOGETHER_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [queries, runId]);
}

/** Whether Signoff said it to the model alone: reminders, warnings, what an earlier run did. */
export const isNote = ({ role, for_agent }: Pick<Message, "role" | "for_agent">): boolean =>
  role === "system" && for_agent === true;

export type Entry = { type: "message"; id: string; message: Message } | { type: "ask"; id: string; ask: Ask };

/** Messages and settled asks in the order of time. An ask about a call is told by the call's line. */
export function entriesOf(messages: Message[], asks: Iterable<Ask>): Entry[] {
  const entries: Entry[] = messages.filter(says).map((message) => ({ type: "message", id: message.id, message }));
  const ofCalls = new Set(messages.flatMap(({ calls = [] }) => calls.map((call: Call) => call.ask_id)));
  for (const ask of asks) {
    if (ask.status === "pending" || ofCalls.has(ask.id)) continue;
    const after = entries.findIndex((entry) => entry.type === "message" && entry.message.created_at > ask.created_at);
    entries.splice(after < 0 ? entries.length : after, 0, { type: "ask", id: ask.id, ask });
  }
  return entries;
}

/** Whether a message has anything to read: results stand with their calls, progress in its panel. */
function says({ role, text, calls = [] }: Message): boolean {
  return role !== "tool" && (role !== "assistant" || text !== "" || calls.length === 0 || calls.some(isInTranscript));
}
