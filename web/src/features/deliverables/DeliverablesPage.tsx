import { Button, NativeSelect, UnstyledButton } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { api } from "@/api/client";
import type { Deliverable } from "@/api/types";
import { Ago } from "@/ui/clock";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { PERIODS, periodSince } from "@/ui/periods";
import { Empty, Failed, Loading } from "@/ui/States";
import { Tag } from "@/ui/Tag";
import classes from "./deliverables.module.css";
import { iconOf, size } from "./files";
import { type DeliverableFilters, STATUSES, TYPES } from "./filters";

const DeliverableView = lazy(() => import("./DeliverableView"));

/** Everything that was handed over, newest first. */
export function DeliverablesPage({ filters }: { filters: DeliverableFilters }) {
  const navigate = useNavigate();
  const [viewed, setViewed] = useState<Deliverable | null>(null);
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } }).data?.items ?? [];
  const { type, agent, status, period } = filters;
  const list = api.useInfiniteQuery(
    "get",
    "/api/deliverables",
    { params: { query: { type, agent, status, since: periodSince(period), limit: 50 } } },
    { initialPageParam: null, getNextPageParam: (last) => last.next_cursor, pageParamName: "cursor" },
  );
  const items = list.data?.pages.flatMap((each) => each.items) ?? [];
  const set = (change: DeliverableFilters) =>
    navigate({ to: "/deliverables", search: { ...filters, ...change }, replace: true });
  const filtered = Boolean(type || agent || status || period);
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>Deliverables</h1>
      </header>
      <div className={page.filters}>
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
          data={[{ value: "", label: "Any status" }, ...STATUSES]}
        />
        <NativeSelect
          aria-label="Time"
          value={period ?? ""}
          onChange={(event) => set({ period: event.currentTarget.value || undefined })}
          data={PERIODS}
        />
      </div>
      <div className={`card ${page.list}`}>
        {list.isPending && <Loading lines={5} />}
        {list.isError && (
          <Failed what="The deliverables could not be loaded" error={list.error} retry={() => list.refetch()} />
        )}
        {list.isSuccess && items.length === 0 && (
          <Empty icon="file-text" title={filtered ? "Nothing fits these filters" : "Nothing was handed over yet"}>
            {filtered
              ? "Choose others above."
              : "When an agent finishes a report, a table or a picture, it appears here."}
          </Empty>
        )}
        {items.map((item) => (
          <Row key={item.id} item={item} onOpen={() => setViewed(item)} />
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
      {viewed && (
        <Suspense>
          <DeliverableView deliverable={viewed} onClose={() => setViewed(null)} />
        </Suspense>
      )}
    </div>
  );
}

function Row({ item, onOpen }: { item: Deliverable; onOpen: () => void }) {
  return (
    <div className={classes.row}>
      <UnstyledButton className={classes.rowOpen} onClick={onOpen}>
        <Icon name={iconOf(item)} size={18} />
        <span className="grow">
          <span className={`cut ${classes.name}`}>{item.name}</span>
          <span className="cut small dim">{item.description || item.type}</span>
        </span>
      </UnstyledButton>
      <span className={classes.side}>
        {item.status !== "final" && <Tag plain>{item.status}</Tag>}
        {item.version > 1 && <span>v{item.version}</span>}
        <span className="num">{size(item.size_bytes)}</span>
      </span>
      <Link className={classes.by} to="/runs/$runId" params={{ runId: item.run_id }}>
        {item.agent}
      </Link>
      <span className={classes.when}>
        <Ago at={item.created_at} />
      </span>
    </div>
  );
}
