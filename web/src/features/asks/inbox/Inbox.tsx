import { useMediaQuery } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import { said } from "@/ui/overlay/toast";
import { useShortcutKeys } from "@/ui/overlay/useShortcutKeys";
import { Empty, Loading } from "@/ui/States";
import { AskDetail } from "../detail/AskDetail";
import { useDecidedIds } from "../outbox/useOutbox";
import { AskList } from "./AskList";
import { ofView } from "./InboxViews";
import classes from "./inbox.module.css";
import { type InboxSearch, isFiltered, nextView, VIEWS } from "./inboxSearch";
import { firstOfEach, neighbour, nextAfter, type OpenAsks, seek, useFreshRows, useOpenAsks } from "./openAsks";
import { isDecidedTogether, NEEDS_ANSWER, useSelection } from "./rowSelection";

// Only what is open can be selected.
const NOTHING: Ask[] = [];

interface InboxProps {
  askId?: string;
  search: InboxSearch;
  /** What came of it, once nothing waits any more. */
  outcome?: ReactNode;
}

/** What waits for somebody: the list, and beside it the ask to decide. On a phone one of the two. */
export function Inbox({ askId, search, outcome }: InboxProps) {
  const navigate = useNavigate();
  const phone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
  const list = useOpenAsks(search);
  useFreshRows();
  const { asks, going } = useRows(list.data, search.grouped);
  const total = Math.max(0, (list.data?.pages[0]?.total ?? 0) - going);
  const { selected, select, toggle } = useSelection(search.view ? NOTHING : asks);
  const finder = useRef<HTMLInputElement>(null);
  const detail = useRef<HTMLElement>(null);
  const pinned = usePinned(search, phone ? undefined : asks[0]?.id, askId);
  const shown = askId ?? pinned.id;
  const goingOn = useRef(false);
  const show = (id: string | undefined, replace = false) => {
    if (!id) pinned.release();
    navigate(id ? { to: "/asks/$askId", params: { askId: id }, search, replace } : { to: "/inbox", search });
  };
  const step = useStep(list, { asks, shown, grouped: search.grouped, show });
  useShortcutKeys(
    {
      j: () => step(1),
      k: () => step(-1),
      x: () => shown && !search.view && tick(shown),
      v: () => navigate({ to: "/inbox", search: ofView(search, nextView(search)) }),
      Enter: () => (phone ? shown && show(shown) : detail.current?.focus()),
      Escape: () => (selected.size > 0 ? select(new Set()) : phone && show(undefined)),
      "/": () => finder.current?.focus(),
    },
    ["j", "k"],
  );
  const tick = (id: string) => {
    const ask = asks.find((each) => each.id === id);
    if (ask && !isDecidedTogether(ask)) said(`${NEEDS_ANSWER}.`);
    else toggle(id);
  };
  const ids = asks.map((item) => item.id);
  const goOn = (ask: Ask) => {
    goingOn.current = true;
    show(nextAfter(ids, ask.id));
  };
  // The button that had the focus is gone: the next ask's title gets it, and is read out.
  useEffect(() => {
    if (!goingOn.current) return;
    goingOn.current = false;
    const section = detail.current;
    (section?.querySelector<HTMLElement>(`[data-ask="${shown}"] h2`) ?? section)?.focus();
  }, [shown]);
  return (
    <div className={classes.inbox} data-showing={askId ? "detail" : "list"}>
      <section className={classes.list} aria-label={`${VIEWS[search.view ?? "open"]} asks`}>
        <AskList
          list={list}
          asks={asks}
          total={total}
          search={search}
          shown={shown}
          finder={finder}
          selected={selected}
          onSelect={select}
          onToggle={toggle}
          onDone={() => {
            select(new Set());
            show(undefined);
          }}
        />
      </section>
      <section className={classes.detail} aria-label="The ask" ref={detail} tabIndex={-1}>
        {askId && (
          <button type="button" className={classes.back} onClick={() => show(undefined)}>
            <Icon name="arrow-left" /> Inbox
          </button>
        )}
        {shown ? (
          <AskDetail
            key={shown}
            askId={shown}
            known={asks.find((ask) => ask.id === shown)}
            knownAt={list.dataUpdatedAt}
            shortcuts={selected.size === 0}
            onDecided={goOn}
          />
        ) : (
          <Nothing loading={list.isPending} failed={list.isError} filtered={isFiltered(search)} outcome={outcome} />
        )}
      </section>
    </div>
  );
}

interface Steps {
  asks: Ask[];
  shown: string | undefined;
  grouped?: boolean;
  show: (id: string, replace: boolean) => void;
}

/** To the ask above or below. Reading through the list leaves no trail in the browser's history. */
function useStep(list: OpenAsks, { asks, shown, grouped, show }: Steps) {
  const place = useRef(0);
  const at = asks.findIndex(({ id }) => id === shown);
  if (at >= 0) place.current = at;
  return async (by: 1 | -1) => {
    const read = shown && at < 0 && list.hasNextPage ? await seek(list, shown) : null;
    const rows = read ? (grouped ? firstOfEach(read) : read) : asks;
    const next = neighbour(
      rows.map(({ id }) => id),
      shown,
      by,
      place.current,
    );
    if (next) show(next, true);
  };
}

/** The first row stays the one to decide when it is settled elsewhere, or when another sorts before it. */
function usePinned(search: InboxSearch, first: string | undefined, chosen: string | undefined) {
  const [pinned, setPinned] = useState<{ search: InboxSearch; id: string }>();
  const id = pinned?.search === search ? pinned.id : undefined;
  useEffect(() => {
    if (chosen) setPinned(undefined);
    else if (!id && first) setPinned({ search, id: first });
  }, [chosen, id, first, search]);
  return { id: id ?? first, release: () => setPinned(undefined) };
}

/** The rows without what is decided and only about to be sent, and how many that are. */
function useRows(list: OpenAsks["data"], grouped = false): { asks: Ask[]; going: number } {
  const decided = useDecidedIds();
  const all = list?.pages.flatMap((page) => page.items) ?? [];
  const open = all.filter(({ id }) => !decided.has(id));
  return { asks: grouped ? firstOfEach(open) : open, going: all.length - open.length };
}

interface NothingProps {
  loading: boolean;
  failed: boolean;
  filtered: boolean;
  outcome: ReactNode;
}

function Nothing({ loading, failed, filtered, outcome }: NothingProps) {
  if (loading) return <Loading lines={3} height={64} />;
  if (failed) return null;
  return (
    <Empty icon="inbox" title={filtered ? "Nothing to show" : "You're all caught up"} action={!filtered && outcome}>
      {filtered
        ? "Remove a filter to see more."
        : "When an agent wants to do something risky or has a question, it stops and asks you here."}
    </Empty>
  );
}
