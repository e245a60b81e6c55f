import { Button, Modal, NativeSelect } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { api } from "@/api/client";
import { isProblem } from "@/api/problems";
import { Icon } from "@/ui/icons";
import { FoldedFilters } from "@/ui/list/FoldedFilters";
import { LoadMore } from "@/ui/list/LoadMore";
import { PERIODS, periodSince } from "@/ui/list/periods";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { Tag } from "@/ui/Tag";
import { byRun, type RunGroup } from "./byRun";
import { DeliverableRow } from "./DeliverableRow";
import { type DeliverableFilters, STATUSES, TYPES } from "./deliverableFilters";
import { zipUrl } from "./deliverableLinks";
import classes from "./deliverables.module.css";

const DeliverableView = lazy(() => import("./DeliverableView"));

/** Everything that was handed over, under the runs that made it; runs that wait for somebody stand on top. */
export function DeliverablesPage({ filters }: { filters: DeliverableFilters }) {
  const navigate = useNavigate();
  const { view, ...given } = filters;
  const { type, agent, status, run, period } = given;
  const list = api.useInfiniteQuery(
    "get",
    "/api/deliverables",
    { params: { query: { type, agent, status, run, since: periodSince(period), limit: 50 } } },
    { initialPageParam: null, getNextPageParam: (last) => last.next_cursor, pageParamName: "cursor" },
  );
  const items = list.data?.pages.flatMap((each) => each.items) ?? [];
  const groups = byRun(items, useWaitingRuns());
  const filtered = Object.values(given).some(Boolean);
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>Deliverables</h1>
        {run && items.length > 0 && (
          <Button
            component="a"
            href={zipUrl(run)}
            download
            variant="default"
            leftSection={<Icon name="download" size={14} />}
          >
            All as ZIP
          </Button>
        )}
      </header>
      <Filters filters={given} runTitle={items[0]?.run_title ?? "one run"} />
      <div className={`card ${page.list}`}>
        {list.isPending && <Loading lines={5} />}
        {list.isError && (
          <Failed what="Couldn't load the deliverables" error={list.error} retry={() => list.refetch()} />
        )}
        {list.isSuccess && items.length === 0 && (
          <Empty icon="file-text" title={filtered ? "No matches" : "No deliverables yet"}>
            {filtered
              ? "Try removing a filter."
              : "When an agent finishes a report, a table or a picture, it appears here."}
          </Empty>
        )}
        {groups.map((group) => (
          <section key={group.runId} aria-label={group.title}>
            <GroupHead group={group} />
            {group.items.map((item) => (
              <DeliverableRow
                key={item.id}
                item={item}
                onOpen={() => navigate({ to: "/deliverables", search: { ...given, view: item.id } })}
              />
            ))}
          </section>
        ))}
      </div>
      <LoadMore list={list} />
      {view && <Viewed id={view} onClose={() => navigate({ to: "/deliverables", search: given, replace: true })} />}
    </div>
  );
}

/** The runs that stop for a person now. */
function useWaitingRuns(): ReadonlySet<string> {
  const query = { status: "waiting_approval,waiting_input", limit: 200 };
  const waiting = api.useQuery("get", "/api/runs", { params: { query } }).data?.items;
  return new Set(waiting?.map(({ id }) => id));
}

function GroupHead({ group }: { group: RunGroup }) {
  return (
    <div className={classes.group}>
      <h2 className="cut">
        <Link to="/runs/$runId" params={{ runId: group.runId }}>
          {group.title}
        </Link>
      </h2>
      <span className="cut dim">{group.agent}</span>
      {group.waits && <Tag tone="warn">Waiting for someone</Tag>}
    </div>
  );
}

interface FiltersProps {
  filters: DeliverableFilters;
  runTitle: string;
}

function Filters({ filters, runTitle }: FiltersProps) {
  const navigate = useNavigate();
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } }).data?.items ?? [];
  const set = (change: DeliverableFilters) =>
    navigate({ to: "/deliverables", search: { ...filters, ...change }, replace: true });
  const { type, agent, status, run, period } = filters;
  return (
    <search className={page.filters}>
      <FoldedFilters active={[type, agent, status, period].filter(Boolean).length}>
        <NativeSelect
          aria-label="Type"
          value={type ?? ""}
          onChange={(event) => set({ type: event.currentTarget.value || undefined })}
          data={[{ value: "", label: "All types" }, ...TYPES]}
        />
        <NativeSelect
          aria-label="Agent"
          value={agent ?? ""}
          onChange={(event) => set({ agent: event.currentTarget.value || undefined })}
          data={[{ value: "", label: "All agents" }, ...agents.map(({ slug, name }) => ({ value: slug, label: name }))]}
        />
        <NativeSelect
          aria-label="Status"
          value={status ?? ""}
          onChange={(event) => set({ status: event.currentTarget.value || undefined })}
          data={[{ value: "", label: "Not archived" }, ...STATUSES, { value: "all", label: "Any status" }]}
        />
        <NativeSelect
          aria-label="Time"
          value={period ?? ""}
          onChange={(event) => set({ period: event.currentTarget.value || undefined })}
          data={PERIODS}
        />
      </FoldedFilters>
      {run && (
        <Button
          variant="subtle"
          color="gray"
          rightSection={<Icon name="x" size={14} />}
          onClick={() => set({ run: undefined })}
        >
          Of {runTitle}
        </Button>
      )}
    </search>
  );
}

/** The one that the address names, also where it is not in the list. */
function Viewed({ id, onClose }: { id: string; onClose: () => void }) {
  const deliverable = api.useQuery("get", "/api/deliverables/{deliverable_id}", {
    params: { path: { deliverable_id: id } },
  });
  if (deliverable.data)
    return (
      <Suspense>
        <DeliverableView deliverable={deliverable.data} onClose={onClose} />
      </Suspense>
    );
  if (!deliverable.isError) return null;
  return (
    <Modal opened onClose={onClose} title="Deliverable" closeButtonProps={{ "aria-label": "Close" }}>
      <Failed
        what="Couldn't open this deliverable"
        error={deliverable.error}
        retry={isProblem(deliverable.error, 404) ? undefined : () => deliverable.refetch()}
      />
    </Modal>
  );
}
