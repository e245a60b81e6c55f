import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { http } from "@/api/client";
import { allRead } from "@/api/live/cachedLists";
import type { Ask, AskGroup, Page } from "@/api/types";
import type { Outgoing } from "../outbox/outbox";

type Query = Partial<Record<"kind" | "risk" | "agent" | "assignee" | "q" | "alike", string>> & {
  sort?: "oldest" | "newest" | "deadline" | "risk";
};

const GROUPS = 50;
const MEMBERS = 200;
// Nobody looks through more than that in one table; the next ones come when these are decided.
const MOST_MEMBERS = 2000;

/** Open asks with those that are alike as one, page after page, from the server. */
export function useAskGroups(query: Query, enabled: boolean) {
  return useInfiniteQuery({
    enabled,
    queryKey: ["get", "/api/asks/groups", { params: { query } }],
    initialPageParam: null as string | null,
    getNextPageParam: (page: Page<AskGroup>) => page.next_cursor ?? null,
    queryFn: async ({ pageParam, signal }) => {
      if (pageParam === null) allRead();
      const params = { query: { ...query, limit: GROUPS, cursor: pageParam } };
      return (await http.GET("/api/asks/groups", { params, signal })).data as Page<AskGroup>;
    },
  });
}

/** All asks of a group, as many as a table takes. What comes while somebody looks waits until they want it. */
export function useMembers(query: Query, likeness: string) {
  const wanted = { ...query, sort: "oldest" as const, view: "open" as const, likeness };
  const list = useInfiniteQuery({
    queryKey: ["get", "/api/asks", { params: { query: wanted } }],
    initialPageParam: null as string | null,
    getNextPageParam: (page: Page<Ask>) => page.next_cursor ?? null,
    queryFn: async ({ pageParam, signal }) => {
      const params = { query: { ...wanted, limit: MEMBERS, cursor: pageParam } };
      return (await http.GET("/api/asks", { params, signal })).data as Page<Ask>;
    },
  });
  const all = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const { hasNextPage, isFetching, isError, fetchNextPage } = list;
  const more = hasNextPage && all.length < MOST_MEMBERS;
  useEffect(() => {
    if (more && !isFetching && !isError) fetchNextPage();
  }, [more, isFetching, isError, fetchNextPage]);
  const loaded = list.isSuccess && !more;
  const [known, setKnown] = useState<ReadonlySet<string> | null>(null);
  const ids = all.map(({ id }) => id);
  if (loaded && known === null) setKnown(new Set(ids));
  const asks = known ? all.filter(({ id }) => known.has(id)) : all;
  return {
    list,
    asks,
    loaded,
    total: list.data?.pages[0]?.total ?? 0,
    arrived: all.length - asks.length,
    showArrived: () => setKnown(new Set(ids)),
  };
}

/** How many of a group are left without those that are decided and only about to be sent. */
export function leftIn(group: AskGroup, going: readonly Outgoing[]): number {
  const decided = going.filter((item) => item.group !== undefined && item.group === group.likeness);
  return group.count - decided.reduce((sum, { alike }) => sum + 1 + Object.keys(alike ?? {}).length, 0);
}

/** What they are aimed at, in a few words: `channel #ops`. */
export function targetWords(target: AskGroup["target"]): string {
  const words = Object.entries(target).map(
    ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return words.join(" · ");
}
