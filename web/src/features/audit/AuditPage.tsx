import { Autocomplete, Button, NativeSelect, TextInput } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import { needsWords, useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import { FoldedFilters } from "@/ui/list/FoldedFilters";
import { LoadMore } from "@/ui/list/LoadMore";
import { PERIODS, periodSince } from "@/ui/list/periods";
import { useTypedFilter } from "@/ui/list/useTypedFilter";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { AuditEntry } from "./AuditEntry";
import { AuditProof } from "./AuditProof";
import classes from "./audit.module.css";
import type { AuditFilters } from "./auditFilters";
import { actionChoices } from "./auditWords";

/** Who did what, and the proof that nobody changed the record. */
export function AuditPage({ filters }: { filters: AuditFilters }) {
  const navigate = useNavigate();
  const admin = useMay("admin");
  const { actor, action, subject, run, period } = filters;
  const list = api.useInfiniteQuery(
    "get",
    "/api/audit",
    { params: { query: { actor, action, subject, run, since: periodSince(period), limit: 50 } } },
    {
      initialPageParam: null,
      getNextPageParam: (last) => last.next_cursor,
      pageParamName: "cursor",
      placeholderData: keepPreviousData,
      staleTime: 0,
    },
  );
  const entries = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const set = (change: AuditFilters) => navigate({ to: "/audit", search: { ...filters, ...change }, replace: true });
  const filtered = Object.values(filters).some(Boolean);
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>Audit</h1>
        <AuditProof />
        <Button
          component="a"
          href="/api/audit/export"
          download="audit.ndjson"
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          data-disabled={!admin || undefined}
          aria-disabled={!admin}
          title={admin ? "All entries, one JSON object per line" : needsWords("admin", "export the audit record")}
          onClick={(event) => !admin && event.preventDefault()}
        >
          Export
        </Button>
      </header>
      <search className={page.filters}>
        <Who value={actor} onChange={(value) => set({ actor: value })} />
        <FoldedFilters active={[action, subject, period].filter(Boolean).length}>
          <NativeSelect
            label="Did what"
            value={action ?? ""}
            onChange={(event) => set({ action: event.currentTarget.value || undefined })}
            data={actionChoices(action)}
          />
          <ToWhat value={subject} onChange={(value) => set({ subject: value })} />
          <NativeSelect
            label="When"
            value={period ?? ""}
            onChange={(event) => set({ period: event.currentTarget.value || undefined })}
            data={PERIODS}
          />
        </FoldedFilters>
        {filtered && (
          <Button variant="subtle" color="gray" onClick={() => navigate({ to: "/audit", search: {} })}>
            Clear
          </Button>
        )}
      </search>
      <div className={`card ${page.list}`} aria-busy={list.isPlaceholderData}>
        {list.isPending && <Loading lines={6} />}
        {list.isError && (
          <Failed what="Couldn't load the audit record" error={list.error} retry={() => list.refetch()} />
        )}
        {list.isSuccess && entries.length === 0 && (
          <Empty icon="scroll-text" title={filtered ? "No matches" : "No entries yet"}>
            {filtered ? "Try a shorter word, or remove a filter." : "Every decision and every change is recorded here."}
          </Empty>
        )}
        {entries.map((entry) => (
          <AuditEntry key={entry.id} entry={entry} onRun={(id) => set({ run: id })} />
        ))}
      </div>
      <LoadMore list={list} />
    </div>
  );
}

interface TypedProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** People and agents are offered; whoever is gone can still be typed. */
function Who({ value, onChange }: TypedProps) {
  const [words, setWords] = useTypedFilter(value, onChange);
  const members = api.useQuery("get", "/api/members", { params: { query: { limit: 200 } } }).data?.items ?? [];
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } }).data?.items ?? [];
  return (
    <Autocomplete
      label="Who"
      placeholder="A name or address"
      className={classes.typed}
      value={words}
      onChange={setWords}
      limit={20}
      data={[...members.map(({ email }) => email), ...agents.map(({ slug }) => `agent:${slug}`)]}
    />
  );
}

function ToWhat({ value, onChange }: TypedProps) {
  const [words, setWords] = useTypedFilter(value, onChange);
  return (
    <TextInput
      label="To what"
      placeholder="A title or an id"
      className={classes.typed}
      value={words}
      onChange={(event) => setWords(event.currentTarget.value)}
    />
  );
}
