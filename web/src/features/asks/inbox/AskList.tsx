import { Button } from "@mantine/core";
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef } from "react";
import { useArrived } from "@/api/live/cachedLists";
import { useMemberNames } from "@/api/memberNames";
import type { Ask } from "@/api/types";
import { askOrigin } from "@/ui/domain/askOrigin";
import { Empty, Failed, Loading } from "@/ui/States";
import { GroupRow } from "../groups/GroupRow";
import { AskRow } from "./AskRow";
import { BatchBar } from "./BatchBar";
import { InboxFilters } from "./InboxFilters";
import classes from "./inbox.module.css";
import type { InboxRow, Listed } from "./inboxRows";
import { type InboxSearch, isFiltered } from "./inboxSearch";
import { QuietRow } from "./QuietRow";

export interface AskListProps {
  list: Listed;
  rows: InboxRow[];
  /** None where groups are listed. */
  total: number | undefined;
  search: InboxSearch;
  shown: string | undefined;
  finder: RefObject<HTMLInputElement | null>;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  onToggle: (id: string) => void;
  /** The selected ones are decided. */
  onDone: () => void;
}

// Every row has this height, so that ten thousand of them cost no more than a screen.
const ROW = 62;
const AROUND = 12;
const NEAR_END = 15;

export function AskList({ list, rows: listed, total, search, shown, finder, selected, ...on }: AskListProps) {
  const box = useRef<HTMLDivElement>(null);
  const asks = listed.map(({ ask }) => ask);
  const rows = useVirtualizer({
    count: asks.length,
    getScrollElement: () => box.current,
    getItemKey: (index) => asks[index]?.id ?? index,
    estimateSize: () => ROW,
    overscan: AROUND,
  });
  const drawn = rows.getVirtualItems();
  useMore(list, (drawn.at(-1)?.index ?? 0) + 1 >= asks.length - NEAR_END);
  useInView(rows, asks, shown);
  const filtered = isFiltered(search);
  const view = search.view ?? "open";
  const named = useMemberNames(search.view !== undefined || asks.some(({ asked_by }) => asked_by));
  return (
    <>
      <InboxFilters search={search} total={total} finder={finder} />
      {!search.view && <NewerAsks list={list} />}
      <div className={classes.rows} ref={box} tabIndex={-1}>
        {list.isPending && <Loading lines={6} height={58} />}
        {list.isError && asks.length === 0 && (
          <Failed what="Couldn't load the inbox" error={list.error} retry={() => list.refetch()} />
        )}
        {list.isSuccess && asks.length === 0 && (
          <Empty icon="circle-check" title={filtered ? "No matches. Try removing a filter." : NONE[view].title}>
            {!filtered && NONE[view].text}
          </Empty>
        )}
        <ol className={classes.canvas} style={{ height: rows.getTotalSize() }}>
          {drawn.map(({ index, key, start, size }) => {
            const row = listed[index];
            if (!row) return null;
            const { ask, group, left } = row;
            return (
              <li key={key} className={classes.place} style={{ top: start, height: size }}>
                {group ? (
                  <GroupRow group={group} left={left} shown={ask.id === shown} classes={classes} />
                ) : search.view ? (
                  <QuietRow ask={ask} search={search} shown={ask.id === shown} named={named} />
                ) : (
                  <AskRow
                    ask={ask}
                    origin={askOrigin(ask, named)}
                    search={search}
                    shown={ask.id === shown}
                    selected={selected.has(ask.id)}
                    selecting={selected.size > 0}
                    onToggle={on.onToggle}
                  />
                )}
              </li>
            );
          })}
        </ol>
        {list.isFetchNextPageError && (
          <Failed what="Couldn't load more" error={list.error} retry={() => list.fetchNextPage()} />
        )}
      </div>
      <BatchBar
        asks={listed.filter(({ group }) => !group).map(({ ask }) => ask)}
        more={list.hasNextPage}
        selected={selected}
        onSelect={on.onSelect}
        onDone={on.onDone}
      />
    </>
  );
}

const NONE = {
  open: { title: "No open asks", text: "New asks appear here right away." },
  waiting: {
    title: "Nothing is waiting for others",
    text: "What you signed or assigned to others stays here until they decide.",
  },
  decided: { title: "Nothing decided yet", text: "What you decide appears here, newest first." },
};

/** Read on before the end is in sight. */
function useMore({ hasNextPage, isFetching, isError, fetchNextPage }: Listed, wanted: boolean): void {
  useEffect(() => {
    if (wanted && hasNextPage && !isFetching && !isError) fetchNextPage();
  }, [wanted, hasNextPage, isFetching, isError, fetchNextPage]);
}

/** Keep the chosen row in view when another is chosen; when rows above it go, the list stays where it is. */
function useInView(rows: Virtualizer<HTMLDivElement, Element>, asks: Ask[], shown: string | undefined): void {
  const latest = useRef(asks);
  latest.current = asks;
  const isThere = asks.some(({ id }) => id === shown);
  useEffect(() => {
    if (isThere) rows.scrollToIndex(latest.current.findIndex(({ id }) => id === shown));
  }, [rows, shown, isThere]);
}

function NewerAsks({ list }: { list: Listed }) {
  const count = useArrived();
  if (count === 0) return null;
  return (
    <Button size="xs" variant="light" radius={0} onClick={() => list.refetch()} loading={list.isFetching}>
      Show {count} new
    </Button>
  );
}
