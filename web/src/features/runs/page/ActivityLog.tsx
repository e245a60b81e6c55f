import { Button, UnstyledButton } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { http } from "@/api/client";
import { onEvent } from "@/api/live/useLive";
import type { components } from "@/api/schema";
import type { Page, Run } from "@/api/types";
import { Icon } from "@/ui/icons";
import { Failed, Loading } from "@/ui/States";
import classes from "../run.module.css";
import { useGrowingList } from "../transcript/growingList";
import { eventWords } from "./eventWords";

type Event = components["schemas"]["Event"];

const PAGE = 100;

/** Everything that happened, for whoever wants to know exactly. */
export function ActivityLog({ run }: { run: Run }) {
  const [open, setOpen] = useState(false);
  return (
    <section className={`card ${classes.panel}`} aria-label="Activity">
      <UnstyledButton className={classes.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
        <h2 className="grow">Activity</h2>
        <Icon name="chevron-right" size={14} className={classes.chevron} />
      </UnstyledButton>
      {open && <Log runId={run.id} />}
    </section>
  );
}

function Log({ runId }: { runId: string }) {
  const queries = useQueryClient();
  const [wanted, setWanted] = useState(1);
  const key = ["get", "/api/runs/{run_id}/activity", { params: { path: { run_id: runId } } }, "grown"];
  const log = useGrowingList<Event>(
    key,
    { fetchPage: (cursor, signal) => fetchActivity(runId, cursor, signal), isSettled: () => true },
    wanted,
  );
  useEffect(
    () =>
      onEvent((event) => {
        if (event.run_id === runId && event.id !== null)
          queries.invalidateQueries({ queryKey: ["get", "/api/runs/{run_id}/activity"] });
      }),
    [queries, runId],
  );
  if (log.isPending) return <Loading lines={3} height={20} />;
  if (log.isError) return <Failed what="Couldn't load the activity" error={log.error} retry={() => log.refetch()} />;
  return (
    <>
      <ol className={classes.log}>
        {log.items.map((event) => (
          <li key={event.id}>
            <time className="num dim" dateTime={event.at} title={new Date(event.at).toLocaleString()}>
              {new Date(event.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" })}
            </time>
            <span>{eventWords(event)}</span>
          </li>
        ))}
      </ol>
      {log.hasMore && (
        <Button size="compact-sm" variant="default" loading={log.isFetching} onClick={() => setWanted(log.pages + 1)}>
          Load more
        </Button>
      )}
    </>
  );
}

async function fetchActivity(runId: string, cursor: string | null, signal?: AbortSignal): Promise<Page<Event>> {
  const { data } = await http.GET("/api/runs/{run_id}/activity", {
    params: { path: { run_id: runId }, query: { limit: PAGE, cursor } },
    signal,
  });
  return data as Page<Event>;
}
