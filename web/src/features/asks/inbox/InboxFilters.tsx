import { ActionIcon, Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useState } from "react";
import { api } from "@/api/client";
import { identityOf } from "@/api/identity";
import { useMe } from "@/api/me";
import { type AskKind, KINDS } from "@/ui/domain/askKinds";
import { RISKS, type RiskLevel } from "@/ui/domain/risk";
import { Icon } from "@/ui/icons";
import { ExpireOld } from "./expireOld/ExpireOld";
import { InboxViews } from "./InboxViews";
import classes from "./inbox.module.css";
import { type InboxSearch, isFiltered, keepSearch, OUTCOMES, type Outcome } from "./inboxSearch";
import { OrderOrWhose } from "./OrderOrWhose";

interface InboxFiltersProps {
  search: InboxSearch;
  total: number | undefined;
  finder: RefObject<HTMLInputElement | null>;
}

/** What to see of the inbox, and in which order. */
export function InboxFilters({ search, total, finder }: InboxFiltersProps) {
  const navigate = useNavigate();
  const identity = identityOf(useMe());
  const see = (next: InboxSearch) => {
    keepSearch(identity, next);
    navigate({ to: "/inbox", search: next });
  };
  const change = (next: Partial<InboxSearch>) => see({ ...search, ...next });
  const [words, setWords] = useState(search.q ?? "");
  const find = useDebouncedCallback((q: string) => change({ q: q.trim() || undefined }), 250);
  const [narrowing, setNarrowing] = useState(false);
  const filtered = isFiltered(search);
  return (
    <header className={classes.head}>
      <div className="row">
        <h1>Inbox</h1>
        {total !== undefined && total > 0 && (
          <span className="dim num">{total >= 10_000 ? "10,000+" : total.toLocaleString("en")}</span>
        )}
        <OrderOrWhose search={search} change={change} />
      </div>
      <InboxViews search={search} />
      <div className="row">
        <TextInput
          ref={finder}
          className="grow"
          size="xs"
          aria-label="Search the inbox"
          placeholder="Search"
          leftSection={<Icon name="search" size={14} />}
          rightSection={words === "" && <kbd aria-hidden>/</kbd>}
          value={words}
          onChange={({ currentTarget: { value } }) => {
            setWords(value);
            find(value);
          }}
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
        />
        <ActionIcon
          variant="default"
          size="input-xs"
          aria-label="Filters"
          aria-expanded={narrowing}
          onClick={() => setNarrowing(!narrowing)}
        >
          <Icon name="sliders" size={14} />
        </ActionIcon>
      </div>
      {narrowing && <Narrow search={search} change={change} />}
      {filtered && (
        <div className="row small">
          <span className="dim grow cut">{filterWords(search)}</span>
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => {
              setWords("");
              const { view, everyone, sort, grouped } = search;
              see({ view, everyone, sort, grouped });
            }}
          >
            Clear
          </Button>
        </div>
      )}
    </header>
  );
}

interface NarrowProps {
  search: InboxSearch;
  change: (next: Partial<InboxSearch>) => void;
}

function Narrow({ search, change }: NarrowProps) {
  return (
    <div className={classes.narrow}>
      <NativeSelect
        size="xs"
        label="Kind"
        value={search.kind ?? ""}
        onChange={({ currentTarget: { value } }) => change({ kind: (value || undefined) as AskKind | undefined })}
        data={[{ value: "", label: "All kinds" }, ...entries(KINDS, ({ plural }) => plural)]}
      />
      <NativeSelect
        size="xs"
        label="Risk"
        value={search.risk ?? ""}
        onChange={({ currentTarget: { value } }) => change({ risk: (value || undefined) as RiskLevel | undefined })}
        data={[{ value: "", label: "Any risk" }, ...entries(RISKS, ({ label }) => label)]}
      />
      <AgentFilter search={search} change={change} />
      {search.view === "decided" && (
        <NativeSelect
          size="xs"
          label="Outcome"
          value={search.outcome ?? ""}
          onChange={({ currentTarget: { value } }) => change({ outcome: (value || undefined) as Outcome | undefined })}
          data={[{ value: "", label: "Any outcome" }, ...entries(OUTCOMES, (label) => label)]}
        />
      )}
      {!search.view && <OfOpen search={search} change={change} />}
    </div>
  );
}

function OfOpen({ search, change }: NarrowProps) {
  return (
    <>
      <div className="stack" style={{ gap: "0.6rem" }}>
        <Checkbox
          size="xs"
          label="Assigned to me"
          checked={search.mine ?? false}
          onChange={({ currentTarget: { checked } }) => change({ mine: checked || undefined })}
        />
        <Checkbox
          size="xs"
          label="Group similar"
          checked={search.grouped ?? false}
          onChange={({ currentTarget: { checked } }) => change({ grouped: checked || undefined })}
        />
      </div>
      <ExpireOld />
    </>
  );
}

/** The agents are read when somebody wants to choose one. */
function AgentFilter({ search, change }: NarrowProps) {
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } });
  return (
    <NativeSelect
      size="xs"
      label="Agent"
      value={search.agent ?? ""}
      onChange={({ currentTarget: { value } }) => change({ agent: value || undefined })}
      data={[
        { value: "", label: "All agents" },
        ...(agents.data?.items ?? []).map(({ slug, name }) => ({ value: slug, label: name })),
      ]}
    />
  );
}

const entries = <T,>(words: Record<string, T>, label: (word: T) => string) =>
  Object.entries(words).map(([value, word]) => ({ value, label: label(word) }));

function filterWords({ outcome, kind, risk, agent, mine, q, alike }: InboxSearch): string {
  const parts = [
    alike && "Similar asks",
    outcome && OUTCOMES[outcome],
    kind && KINDS[kind].plural,
    risk && RISKS[risk].label,
    agent,
    mine && "assigned to me",
    q && `“${q}”`,
  ];
  return parts.filter(Boolean).join(" · ");
}
