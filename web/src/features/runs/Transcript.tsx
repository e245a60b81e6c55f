import { useEffect } from "react";
import { api } from "@/api/client";
import type { Call, Message, Run } from "@/api/types";
import { useTextBeingWritten } from "@/api/writing";
import { AskCard } from "@/features/asks/AskCard";
import { Ago } from "@/ui/clock";
import { Icon } from "@/ui/icons";
import { Prose } from "@/ui/Prose";
import { Failed, Loading } from "@/ui/States";
import { CallCard } from "./CallCard";
import { Result } from "./Result";
import classes from "./run.module.css";
import { useFollow } from "./useFollow";
import { hasEnded, statusWords } from "./words";

/** The run's thread: what was said and done, what is being written, and what it asks. */
export function Transcript({ run }: { run: Run }) {
  const messages = useMessages(run.id);
  const calls = useCalls(run.id);
  const asks = api.useQuery("get", "/api/runs/{run_id}/asks", {
    params: { path: { run_id: run.id }, query: { limit: 200 } },
  });
  const open = asks.data?.items.filter((ask) => ask.status === "pending") ?? [];
  const shown = messages.items.filter((message) => message.role !== "tool");
  useFollow(shown.length + open.length);
  if (messages.isPending) return <Loading lines={4} height={56} />;
  if (messages.error)
    return <Failed what="The transcript could not be loaded" error={messages.error} retry={messages.refetch} />;
  return (
    <ol className={classes.transcript} aria-label="Transcript">
      {shown.map((message) => (
        <OneMessage key={message.id} message={message} calls={calls} />
      ))}
      <BeingWritten run={run} />
      {hasEnded(run) && <Result run={run} />}
      {open.map((ask) => (
        <li key={ask.id} className={`card ${classes.ask}`}>
          <AskCard ask={ask} inRun />
        </li>
      ))}
    </ol>
  );
}

function OneMessage({ message, calls }: { message: Message; calls: Map<string, Call> }) {
  return (
    <li className={classes.message} data-role={message.role}>
      {message.role !== "assistant" && (
        <div className={classes.who}>
          <Icon name={message.role === "user" ? "user" : "flag"} size={14} />
          {message.role === "user" ? "You and your team" : "Signoff"}
          <span className="dim tiny">
            <Ago at={message.created_at} />
          </span>
        </div>
      )}
      {message.text && <Prose text={message.text} />}
      {message.calls?.map((call) => (
        <CallCard key={call.id} call={calls.get(call.id) ?? call} />
      ))}
    </li>
  );
}

/** Text as the model writes it; while nothing comes yet, a sign that it works. */
function BeingWritten({ run }: { run: Run }) {
  const text = useTextBeingWritten(run.id);
  if (!text && !statusWords(run).live) return null;
  return (
    <li className={classes.message} data-role="assistant" aria-busy="true" data-testid="being-written">
      {text ? (
        <Prose text={text} />
      ) : (
        <span className={classes.thinking}>
          <Icon name="loader-circle" className="spin" size={15} /> Working
        </span>
      )}
    </li>
  );
}

const PAGES = { initialPageParam: null, pageParamName: "cursor" };

/** All messages, page after page; new ones come with the event stream. */
function useMessages(runId: string) {
  const query = api.useInfiniteQuery(
    "get",
    "/api/runs/{run_id}/messages",
    { params: { path: { run_id: runId }, query: { limit: 200 } } },
    { ...PAGES, getNextPageParam: (page) => page.next_cursor },
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return { items, isPending: query.isPending, error: query.error, refetch: () => query.refetch() };
}

/** The calls as they stand now: a message carries them as they were when it was written. */
function useCalls(runId: string): Map<string, Call> {
  const query = api.useQuery("get", "/api/runs/{run_id}/calls", {
    params: { path: { run_id: runId }, query: { limit: 200 } },
  });
  return new Map(query.data?.items.map((call) => [call.id, call]));
}
