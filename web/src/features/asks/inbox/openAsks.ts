import { type InfiniteData, type Query, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { http, queries } from "@/api/client";
import { readAsk } from "@/api/live/askCache";
import { allRead, withAsk } from "@/api/live/cachedLists";
import { onEvent } from "@/api/live/useLive";
import { keyOf } from "@/api/queryKeys";
import type { Ask, Page } from "@/api/types";
import { type InboxSearch, queryOf } from "./inboxSearch";

// Enough for a screen at once; then larger steps for those who scroll.
const FIRST = 50;
const MORE = 200;
// Up to so many pages, a list is read again as a whole.
const REREAD = 2;

/** The open asks that match, page after page. */
export function useOpenAsks(search: InboxSearch, enabled = true) {
  const query = queryOf(search);
  return useInfiniteQuery({
    enabled,
    queryKey: ["get", "/api/asks", { params: { query } }],
    initialPageParam: null as string | null,
    getNextPageParam: (page: Page<Ask>) => page.next_cursor ?? null,
    queryFn: async ({ pageParam, signal }) => {
      if (pageParam === null) allRead();
      const params = { query: { ...query, limit: pageParam ? MORE : FIRST, cursor: pageParam } };
      const { data } = await http.GET("/api/asks", { params, signal });
      return data as Page<Ask>;
    },
  });
}

export type OpenAsks = ReturnType<typeof useOpenAsks>;

/** A long list is not read again when one of its rows changes: that row is. */
export function useFreshRows(): void {
  useEffect(
    () =>
      onEvent(async (event) => {
        const list = { queryKey: keyOf("/api/asks"), predicate: isLong };
        if (event.type !== "ask.updated" || queries.getQueryCache().findAll(list).length === 0) return;
        const ask = await readAsk(event.data.ask.id).catch(() => null);
        if (ask) queries.setQueriesData<InfiniteData<Page<Ask>>>(list, (rows) => withAsk(rows, ask));
      }),
    [],
  );
}

const isLong = ({ state }: Query): boolean =>
  ((state.data as InfiniteData<unknown> | undefined)?.pages?.length ?? 0) > REREAD;

// Two thousand: whoever is farther down than that came by a link, not by reading.
const SEEK_PAGES = 10;

/** Read on until an ask is listed. */
export async function seek({ data, hasNextPage, fetchNextPage }: OpenAsks, askId: string): Promise<Ask[]> {
  let [pages, more] = [data?.pages ?? [], hasNextPage];
  while (more && pages.length < SEEK_PAGES && !pages.some(({ items }) => items.some(({ id }) => id === askId))) {
    const read = await fetchNextPage();
    pages = read.data?.pages ?? [];
    more = read.hasNextPage && !read.isError;
  }
  return pages.flatMap(({ items }) => items);
}

/** The neighbour of an ask; of one that is gone, the neighbour of the place where it was. */
export function neighbour(askIds: string[], from: string | undefined, by: 1 | -1, place = 0): string | undefined {
  const at = askIds.indexOf(from ?? "");
  const wanted = at >= 0 ? at + by : by > 0 ? place : place - 1;
  return askIds[Math.min(Math.max(wanted, 0), askIds.length - 1)];
}

/** Which ask to show after one is gone: the one below it, else the one above. */
export function nextAfter(askIds: string[], gone: string): string | undefined {
  const at = askIds.indexOf(gone);
  return at < 0 ? askIds[0] : (askIds[at + 1] ?? askIds[at - 1]);
}
