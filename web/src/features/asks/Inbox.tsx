import { useMediaQuery } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import { Empty, Loading } from "@/ui/States";
import { useKeys } from "@/ui/useKeys";
import { AskDetail } from "./AskDetail";
import { AskList } from "./AskList";
import { nextAfter } from "./answer";
import classes from "./inbox.module.css";
import type { AskKind } from "./words";

interface InboxProps {
  askId?: string;
  kind?: AskKind;
}

/** What waits for somebody: the list, and beside it the ask to decide. On a phone one of the two. */
export function Inbox({ askId, kind }: InboxProps) {
  const navigate = useNavigate();
  const phone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
  const list = useOpenAsks(kind);
  const asks = list.data?.pages.flatMap((page) => page.items) ?? [];
  const shown = askId ?? (phone ? undefined : asks[0]?.id);
  const show = (id: string | undefined) =>
    navigate(id ? { to: "/asks/$askId", params: { askId: id }, search: { kind } } : { to: "/", search: { kind } });
  const step = (by: number) => {
    const at = asks.findIndex((ask) => ask.id === shown);
    const next = asks[Math.min(Math.max(at + by, 0), asks.length - 1)];
    if (next) show(next.id);
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
  const goOn = (ask: Ask) =>
    show(
      phone
        ? undefined
        : nextAfter(
            asks.map((item) => item.id),
            ask.id,
          ),
    );
  return (
    <div className={classes.inbox} data-showing={askId ? "detail" : "list"}>
      <section className={classes.list} aria-label="Open asks">
        <AskList
          list={list}
          kind={kind}
          shown={shown}
          onKind={(next) => navigate({ to: "/", search: { kind: next } })}
        />
      </section>
      <section className={classes.detail} aria-label="The ask">
        {askId && (
          <button type="button" className={classes.back} onClick={() => show(undefined)}>
            <Icon name="arrow-left" /> Inbox
          </button>
        )}
        {shown ? (
          <AskDetail key={shown} askId={shown} known={asks.find((ask) => ask.id === shown)} onSettled={goOn} />
        ) : (
          <Nothing loading={list.isPending} failed={list.isError} filtered={Boolean(kind)} />
        )}
      </section>
    </div>
  );
}

function Nothing({ loading, failed, filtered }: { loading: boolean; failed: boolean; filtered: boolean }) {
  if (loading) return <Loading lines={3} height={64} />;
  if (failed) return null;
  return (
    <Empty icon="inbox" title={filtered ? "Nothing of this kind waits" : "Nothing waits for you"}>
      When an agent is about to do something risky, or needs to know something, it stops and asks here. Agents that need
      nobody keep working.
    </Empty>
  );
}

export function useOpenAsks(kind: AskKind | undefined) {
  return api.useInfiniteQuery(
    "get",
    "/api/asks",
    { params: { query: { status: "pending", kind, sort: "oldest", limit: 50 } } },
    { initialPageParam: null, getNextPageParam: (page) => page.next_cursor, pageParamName: "cursor" },
  );
}

export type OpenAsks = ReturnType<typeof useOpenAsks>;
