import { Button, NativeSelect, TextInput } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { api } from "@/api/client";
import { newRuns } from "@/api/live/cachedLists";
import { useMay } from "@/api/roles";
import { STATUSES } from "@/ui/domain/runs/runStatus";
import { Icon } from "@/ui/icons";
import { FoldedFilters } from "@/ui/list/FoldedFilters";
import { LoadMore } from "@/ui/list/LoadMore";
import { PERIODS, periodSince } from "@/ui/list/periods";
import { useTypedFilter } from "@/ui/list/useTypedFilter";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { ColumnNames, RunRow } from "./RunRow";
import { type RunFilters, statusQuery } from "./runFilters";

const StartRunDialog = lazy(() => import("../start/StartRunDialog"));

const STATUS_CHOICES = [
  { value: "", label: "Any status" },
  { value: "open", label: "Not ended" },
  { value: "ended", label: "Ended" },
  ...Object.entries(STATUSES).map(([value, { label }]) => ({ value, label })),
];

export function RunList({ filters }: { filters: RunFilters }) {
  const navigate = useNavigate();
  const may = useMay("member");
  const { start, ...given } = filters;
  const list = useRuns(given);
  const runs = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const set = (change: RunFilters) => navigate({ to: "/runs", search: { ...given, ...change }, replace: true });
  const begin = () => navigate({ to: "/runs", search: { ...given, start: "any" } });
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>Runs</h1>
        {may && (
          <Button leftSection={<Icon name="plus" />} onClick={begin}>
            Start a run
          </Button>
        )}
      </header>
      <Filters filters={given} set={set} />
      <NewerRuns list={list} />
      <div className={`card ${page.list}`} aria-busy={list.isPlaceholderData}>
        {list.isPending && <Loading lines={5} />}
        {list.isError && <Failed what="Couldn't load the runs" error={list.error} retry={() => list.refetch()} />}
        {list.isSuccess && runs.length === 0 && (
          <NoRuns filtered={Object.values(given).some(Boolean)} begin={may ? begin : undefined} />
        )}
        {runs.length > 0 && <ColumnNames />}
        {runs.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </div>
      <LoadMore list={list} />
      {start !== undefined && may && (
        <Suspense>
          <StartRunDialog agent={start} onClose={() => navigate({ to: "/runs", search: given })} />
        </Suspense>
      )}
    </div>
  );
}

function useRuns({ status, agent, q, period, project }: RunFilters) {
  // What a run started stands on that run's own page, and is found by its words or by its agent.
  const below = Boolean(agent || q);
  const narrowed = { status: statusQuery(status), agent, q, since: periodSince(period), project_id: project };
  const query = { ...narrowed, below, limit: 50 };
  return api.useInfiniteQuery(
    "get",
    "/api/runs",
    { params: { query } },
    {
      initialPageParam: null,
      getNextPageParam: (last) => last.next_cursor,
      pageParamName: "cursor",
      placeholderData: keepPreviousData,
    },
  );
}

/** A list that somebody has gone far down is not read again by itself. */
function NewerRuns({ list }: { list: ReturnType<typeof useRuns> }) {
  const count = newRuns.useCount();
  const newest = list.data?.pages[0]?.items[0]?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another beginning means that the list was read again
  useEffect(() => newRuns.clear(), [newest]);
  if (count === 0) return null;
  // None of them may fit the filters.
  const show = () => list.refetch().then(newRuns.clear);
  return (
    <Button size="xs" mb="xs" variant="light" fullWidth loading={list.isFetching} onClick={show}>
      Show {count} new
    </Button>
  );
}

function Filters({ filters, set }: { filters: RunFilters; set: (change: RunFilters) => void }) {
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } }).data?.items ?? [];
  const [words, setWords] = useTypedFilter(filters.q, (q) => set({ q }));
  return (
    <search className={page.filters}>
      <TextInput
        className={page.search}
        aria-label="Search titles and tasks"
        placeholder="Search titles and tasks"
        leftSection={<Icon name="search" size={15} />}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <FoldedFilters active={[filters.status, filters.agent, filters.period].filter(Boolean).length}>
        <NativeSelect
          aria-label="Status"
          value={filters.status ?? ""}
          onChange={(event) => set({ status: (event.currentTarget.value || undefined) as RunFilters["status"] })}
          data={STATUS_CHOICES}
        />
        <NativeSelect
          aria-label="Agent"
          value={filters.agent ?? ""}
          onChange={(event) => set({ agent: event.currentTarget.value || undefined })}
          data={[{ value: "", label: "All agents" }, ...agents.map(({ slug, name }) => ({ value: slug, label: name }))]}
        />
        <NativeSelect
          aria-label="Time"
          value={filters.period ?? ""}
          onChange={(event) => set({ period: event.currentTarget.value || undefined })}
          data={PERIODS}
        />
      </FoldedFilters>
      {filters.project && (
        <Button
          variant="subtle"
          color="gray"
          rightSection={<Icon name="x" size={14} />}
          onClick={() => set({ project: undefined })}
        >
          Project {filters.project}
        </Button>
      )}
    </search>
  );
}

function NoRuns({ filtered, begin }: { filtered: boolean; begin?: () => void }) {
  if (filtered)
    return (
      <Empty icon="activity" title="No matches">
        Try removing a filter.
      </Empty>
    );
  return (
    <Empty icon="play" title="No runs yet" action={begin && <Button onClick={begin}>Start a run</Button>}>
      Give an agent a task. It works on its own and stops where you should decide.
    </Empty>
  );
}
