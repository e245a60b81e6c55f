import { Button, NativeSelect } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Ask } from "@/api/types";
import { Countdown, Waiting } from "@/ui/clock";
import { Icon } from "@/ui/icons";
import { Empty, Failed, Loading } from "@/ui/States";
import type { OpenAsks } from "./Inbox";
import classes from "./inbox.module.css";
import { RiskTag } from "./RiskTag";
import { type AskKind, KINDS, kindWords } from "./words";

interface AskListProps {
  list: OpenAsks;
  kind: AskKind | undefined;
  shown: string | undefined;
  onKind: (kind: AskKind | undefined) => void;
}

export function AskList({ list, kind, shown, onKind }: AskListProps) {
  const asks = list.data?.pages.flatMap((page) => page.items) ?? [];
  const total = list.data?.pages[0]?.total ?? 0;
  return (
    <>
      <header className={classes.head}>
        <h1>Inbox</h1>
        {total > 0 && <span className="dim num">{total}</span>}
        <NativeSelect
          size="xs"
          ml="auto"
          aria-label="Kind of ask"
          value={kind ?? ""}
          onChange={(event) => onKind((event.currentTarget.value || undefined) as AskKind | undefined)}
          data={[
            { value: "", label: "All kinds" },
            ...Object.entries(KINDS).map(([value, { plural }]) => ({ value, label: plural })),
          ]}
        />
      </header>
      <div className={classes.rows}>
        {list.isPending && <Loading lines={5} height={58} />}
        {list.isError && asks.length === 0 && (
          <Failed what="The inbox could not be loaded" error={list.error} retry={() => list.refetch()} />
        )}
        {list.isSuccess && asks.length === 0 && (
          <Empty icon="circle-check" title="All decided">
            {kind ? "No open ask of this kind." : "New asks appear here at once."}
          </Empty>
        )}
        {asks.map((ask) => (
          <Row key={ask.id} ask={ask} shown={ask.id === shown} kind={kind} />
        ))}
        {list.hasNextPage && (
          <Button
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
    </>
  );
}

function Row({ ask, shown, kind }: { ask: Ask; shown: boolean; kind: AskKind | undefined }) {
  const element = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (shown) element.current?.scrollIntoView({ block: "nearest" });
  }, [shown]);
  return (
    <Link
      ref={element}
      to="/asks/$askId"
      params={{ askId: ask.id }}
      search={{ kind }}
      className={classes.row}
      data-shown={shown || undefined}
      aria-current={shown || undefined}
    >
      <span className={classes.kind} title={kindWords(ask).label}>
        <Icon name={kindWords(ask).icon} size={17} />
      </span>
      <span className={classes.title}>{ask.title}</span>
      <span className={classes.when}>
        <Waiting at={ask.created_at} />
      </span>
      <span className={classes.meta}>
        <span className="cut">{[ask.agent, ask.run_title].filter(Boolean).join(" · ") || kindWords(ask).label}</span>
        {ask.deadline ? (
          <span className={classes.left}>
            <Countdown at={ask.deadline} />
          </span>
        ) : (
          ask.risk && <RiskTag level={ask.risk.level} short />
        )}
      </span>
    </Link>
  );
}
