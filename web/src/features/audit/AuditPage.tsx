import { Button, NativeSelect, TextInput } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api } from "@/api/client";
import { needsWords, useMay } from "@/features/session/roles";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { PERIODS, periodSince } from "@/ui/periods";
import { Empty, Failed, Loading } from "@/ui/States";
import { Entry } from "./Entry";
import type { AuditFilters } from "./filters";
import { Proof } from "./Proof";

const TYPING_MS = 350;
const FIELDS = [
  { name: "actor", label: "Who", example: "ada@example.com" },
  { name: "action", label: "Did what", example: "ask.answered" },
  { name: "subject", label: "To what", example: "an id, or a name" },
] as const;

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
        <Proof />
        <Button
          component="a"
          href="/api/audit/export"
          download="audit.ndjson"
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          data-disabled={!admin || undefined}
          aria-disabled={!admin}
          title={admin ? "Every entry, one JSON object a line" : needsWords("admin", "export the record")}
          onClick={(event) => !admin && event.preventDefault()}
        >
          Export
        </Button>
      </header>
      <search className={page.filters}>
        {FIELDS.map(({ name, label, example }) => (
          <Typed
            key={name}
            label={label}
            example={example}
            value={filters[name]}
            onChange={(value) => set({ [name]: value })}
          />
        ))}
        <NativeSelect
          label="When"
          value={period ?? ""}
          onChange={(event) => set({ period: event.currentTarget.value || undefined })}
          data={PERIODS}
        />
        {filtered && (
          <Button variant="subtle" color="gray" onClick={() => navigate({ to: "/audit", search: {} })}>
            Clear
          </Button>
        )}
      </search>
      <div className={`card ${page.list}`} aria-busy={list.isPlaceholderData}>
        {list.isPending && <Loading lines={6} />}
        {list.isError && (
          <Failed what="The record could not be loaded" error={list.error} retry={() => list.refetch()} />
        )}
        {list.isSuccess && entries.length === 0 && (
          <Empty icon="scroll-text" title={filtered ? "No entry fits these filters" : "Nothing is recorded yet"}>
            {filtered
              ? "They must match exactly; leave one out."
              : "Every decision and every change is written down here."}
          </Empty>
        )}
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} onRun={(id) => set({ run: id })} />
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
    </div>
  );
}

interface TypedProps {
  label: string;
  example: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A filter that waits until the typing stops. */
function Typed({ label, example, value, onChange }: TypedProps) {
  const [words, setWords] = useState(value ?? "");
  useEffect(() => setWords(value ?? ""), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts a search
  useEffect(() => {
    const timer = setTimeout(() => words.trim() !== (value ?? "") && onChange(words.trim() || undefined), TYPING_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <TextInput
      label={label}
      placeholder={example}
      style={{ flex: "1 1 9rem", maxWidth: "16rem" }}
      value={words}
      onChange={(event) => setWords(event.currentTarget.value)}
    />
  );
}
