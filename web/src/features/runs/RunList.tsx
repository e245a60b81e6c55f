import { Button, NativeSelect } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { api } from "@/api/client";
import type { Run } from "@/api/types";
import { Ago } from "@/ui/clock";
import { Icon } from "@/ui/icons";
import { Empty, Failed, Loading } from "@/ui/States";
import classes from "./runs.module.css";
import { StatusTag } from "./StatusTag";
import { isStatus, type RunStatus, STATUSES } from "./words";

const StartRun = lazy(() => import("./StartRun"));

interface RunListProps {
  status?: RunStatus;
  /** The start dialog is open, with this agent chosen ("" for none). */
  start?: string;
}

export function RunList({ status, start }: RunListProps) {
  const navigate = useNavigate();
  const list = useRuns(status);
  const runs = list.data?.pages.flatMap((page) => page.items) ?? [];
  const begin = () => navigate({ to: "/runs", search: { status, start: "any" } });
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <h1 className="grow">Runs</h1>
        <NativeSelect
          size="xs"
          aria-label="Status"
          value={status ?? ""}
          onChange={({ currentTarget: { value } }) =>
            navigate({ to: "/runs", search: { status: isStatus(value) ? value : undefined } })
          }
          data={[
            { value: "", label: "All" },
            ...Object.entries(STATUSES).map(([value, { label }]) => ({ value, label })),
          ]}
        />
        <Button leftSection={<Icon name="plus" />} onClick={begin}>
          Start a run
        </Button>
      </header>
      <div className={`card ${classes.table}`}>
        {list.isPending && <Loading lines={5} />}
        {list.isError && <Failed what="The runs could not be loaded" error={list.error} retry={() => list.refetch()} />}
        {list.isSuccess && runs.length === 0 && <NoRuns filtered={Boolean(status)} begin={begin} />}
        {runs.map((run) => (
          <Row key={run.id} run={run} />
        ))}
      </div>
      {list.hasNextPage && (
        <Button
          mt="sm"
          variant="subtle"
          color="gray"
          fullWidth
          loading={list.isFetchingNextPage}
          onClick={() => list.fetchNextPage()}
        >
          Load more
        </Button>
      )}
      {start !== undefined && (
        <Suspense>
          <StartRun agent={start} onClose={() => navigate({ to: "/runs", search: { status } })} />
        </Suspense>
      )}
    </div>
  );
}

function useRuns(status: RunStatus | undefined) {
  return api.useInfiniteQuery(
    "get",
    "/api/runs",
    { params: { query: { status, limit: 50 } } },
    { initialPageParam: null, getNextPageParam: (page) => page.next_cursor, pageParamName: "cursor" },
  );
}

function Row({ run }: { run: Run }) {
  return (
    <Link to="/runs/$runId" params={{ runId: run.id }} className={classes.run}>
      <span style={{ minWidth: 0 }}>
        <span className={`cut ${classes.name}`} style={{ display: "block" }}>
          {run.title}
        </span>
        <span className={`cut ${classes.step}`} style={{ display: "block" }}>
          {run.progress?.message || run.progress?.current_step || run.task}
        </span>
      </span>
      <span className={`row small dim cut ${classes.hide}`}>
        <Icon name="bot" size={15} /> {run.agent}
      </span>
      <span>
        <StatusTag run={run} />
      </span>
      <span className={`${classes.when} ${classes.hide}`}>
        <Ago at={run.created_at} />
      </span>
    </Link>
  );
}

function NoRuns({ filtered, begin }: { filtered: boolean; begin: () => void }) {
  if (filtered)
    return (
      <Empty icon="activity" title="No run is in this state">
        Choose another state above.
      </Empty>
    );
  return (
    <Empty icon="play" title="No runs yet" action={<Button onClick={begin}>Start a run</Button>}>
      Give an agent a task. It works on its own and stops where you should decide.
    </Empty>
  );
}
