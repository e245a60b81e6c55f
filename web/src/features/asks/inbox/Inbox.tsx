import { useMediaQuery } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from "react";
import type { Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import { said } from "@/ui/overlay/toast";
import { useShortcutKeys } from "@/ui/overlay/useShortcutKeys";
import { Loading } from "@/ui/States";
import { AskDetail } from "../detail/AskDetail";
import { AskList } from "./AskList";
import { ofView } from "./InboxViews";
import classes from "./inbox.module.css";
import { useInboxRows } from "./inboxRows";
import { groupsQueryOf, type InboxSearch, isFiltered, nextView, VIEWS } from "./inboxSearch";
import { Nothing } from "./Nothing";
import { neighbour, nextAfter, type OpenAsks, seek, useFreshRows } from "./openAsks";
import { useSelection, whyApart } from "./rowSelection";

const GroupView = lazy(() => import("../groups/GroupView"));

// Only what is open can be selected.
const NOTHING: Ask[] = [];

interface InboxProps {
  askId?: string;
  search: InboxSearch;
  /** What came of it, once nothing waits any more. */
  outcome?: ReactNode;
}

/** What waits for somebody: the list, and beside it the ask or the group to decide. On a phone one of the two. */
export function Inbox({ askId, search, outcome }: InboxProps) {
  const navigate = useNavigate();
  const phone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
  const { list, single, rows, total } = useInboxRows(search);
  useFreshRows();
  const asks = rows.filter(({ group }) => !group).map(({ ask }) => ask);
  const { selected, select, toggle } = useSelection(search.view ? NOTHING : asks);
  const finder = useRef<HTMLInputElement>(null);
  const detail = useRef<HTMLElement>(null);
  const pinned = usePinned(search, phone ? undefined : rows[0]?.ask.id, askId ?? search.group);
  const place = search.group ? rows.find(({ group }) => group?.likeness === search.group)?.ask.id : pinned.id;
  const shown = askId ?? place;
  const group = askId ? undefined : (search.group ?? rows.find(({ ask }) => ask.id === shown)?.group?.likeness);
  const goingOn = useRef(false);
  // What stands where another was decided: nobody chose it, nor has read it yet.
  const [came, setCame] = useState<string>();
  const listSearch = useMemo(() => ({ ...search, group: undefined }), [search]);
  const show = (id: string | undefined, replace = false) => {
    if (!id) pinned.release();
    const likeness = rows.find(({ ask }) => ask.id === id)?.group?.likeness;
    if (likeness) navigate({ to: "/inbox", search: { ...listSearch, group: likeness }, replace });
    else if (id) navigate({ to: "/asks/$askId", params: { askId: id }, search: listSearch, replace });
    else navigate({ to: "/inbox", search: listSearch });
  };
  const step = useStep(search.grouped && !search.view ? null : single, {
    asks: rows.map(({ ask }) => ask),
    shown,
    show: (id, replace) => {
      setCame(undefined);
      show(id, replace);
    },
  });
  useShortcutKeys(
    {
      ...(!group && { j: () => step(1), k: () => step(-1), x: () => shown && !search.view && tick(shown) }),
      ...(!group && { Enter: () => (phone ? shown && show(shown) : detail.current?.focus()) }),
      v: () => navigate({ to: "/inbox", search: ofView(search, nextView(search)) }),
      Escape: () => (selected.size > 0 ? select(new Set()) : phone && show(undefined)),
      "/": () => finder.current?.focus(),
      t: () =>
        !search.view &&
        navigate({ to: "/inbox", search: { ...listSearch, grouped: search.grouped ? undefined : true } }),
    },
    ["j", "k"],
  );
  const tick = (id: string) => {
    const ask = asks.find((each) => each.id === id);
    const apart = ask && whyApart(ask);
    if (apart) said(`${apart}.`);
    else if (ask) toggle(id);
  };
  const goOn = (gone: string | undefined) => {
    goingOn.current = true;
    const next = nextAfter(
      rows.map(({ ask }) => ask.id),
      gone ?? "",
    );
    setCame(next);
    show(next);
  };
  // The button that had the focus is gone: the title of what comes next gets it, and is read out.
  useEffect(() => {
    if (!goingOn.current) return;
    goingOn.current = false;
    const section = detail.current;
    (section?.querySelector<HTMLElement>(`[data-ask="${shown}"] h2`) ?? section)?.focus();
  }, [shown]);
  return (
    <div className={classes.inbox} data-showing={askId || search.group ? "detail" : "list"}>
      <section className={classes.list} aria-label={`${VIEWS[search.view ?? "open"]} asks`}>
        <AskList
          list={list}
          rows={rows}
          total={total}
          search={listSearch}
          shown={shown}
          finder={finder}
          selected={selected}
          onSelect={select}
          onToggle={toggle}
          onDone={() => {
            select(new Set());
            setCame(rows.find(({ ask }) => !selected.has(ask.id))?.ask.id);
            show(undefined);
          }}
        />
      </section>
      <section className={classes.detail} aria-label="The ask" ref={detail} tabIndex={-1}>
        {(askId || search.group) && (
          <button type="button" className={classes.back} onClick={() => show(undefined)}>
            <Icon name="arrow-left" /> Inbox
          </button>
        )}
        {group ? (
          <Suspense fallback={<Loading lines={6} height={44} />}>
            <GroupView
              key={group}
              likeness={group}
              query={groupsQueryOf(listSearch)}
              cameByItself={shown !== undefined && shown === came}
              onDecided={() => goOn(place)}
              onOpen={(id) => navigate({ to: "/asks/$askId", params: { askId: id }, search: listSearch })}
              onStep={step}
            />
          </Suspense>
        ) : shown ? (
          <AskDetail
            key={shown}
            askId={shown}
            known={asks.find((ask) => ask.id === shown)}
            knownAt={list.dataUpdatedAt}
            shortcuts={selected.size === 0}
            cameByItself={shown === came}
            onDecided={(ask) => goOn(ask.id)}
          />
        ) : (
          <Nothing
            view={search.view}
            loading={list.isPending}
            failed={list.isError}
            filtered={isFiltered(search)}
            outcome={outcome}
          />
        )}
      </section>
    </div>
  );
}

interface Steps {
  asks: Ask[];
  shown: string | undefined;
  show: (id: string, replace: boolean) => void;
}

/** To the ask above or below. Reading through the list leaves no trail in the browser's history. */
function useStep(list: OpenAsks | null, { asks, shown, show }: Steps) {
  const place = useRef(0);
  const at = asks.findIndex(({ id }) => id === shown);
  if (at >= 0) place.current = at;
  return async (by: 1 | -1) => {
    const rows = shown && at < 0 && list?.hasNextPage ? await seek(list, shown) : asks;
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
