import { type InfiniteData, type QueryKey, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { Page } from "@/api/types";

export type Grown<T> = InfiniteData<Page<T>, string | null>;

interface Growing<T> {
  fetchPage: (cursor: string | null, signal?: AbortSignal) => Promise<Page<T>>;
  /** Whether an item can still change. Pages of settled items are never read again. */
  isSettled: (item: T) => boolean;
}

/**
 * Bring a list that only grows at its end up to date: whole pages of settled items stay, the rest is read again,
 * until `wanted` pages are there. `onPage` gets what there is so far.
 */
export async function grow<T>(
  before: Grown<T> | undefined,
  { fetchPage, isSettled }: Growing<T>,
  wanted: number,
  onPage: (soFar: Grown<T>) => void = () => {},
  signal?: AbortSignal,
): Promise<Grown<T>> {
  const had = before ?? { pages: [], pageParams: [] };
  const open = had.pages.findIndex((page) => !page.next_cursor || !page.items.every(isSettled));
  const keep = open < 0 ? had.pages.length : open;
  let grown: Grown<T> = { pages: had.pages.slice(0, keep), pageParams: had.pageParams.slice(0, keep) };
  while (grown.pages.length < Math.max(wanted, had.pages.length)) {
    const last = grown.pages.at(-1);
    if (last && !last.next_cursor) break;
    const cursor = last?.next_cursor ?? null;
    const page = await fetchPage(cursor, signal);
    grown = { pages: [...grown.pages, page], pageParams: [...grown.pageParams, cursor] };
    // Never show less than there was.
    if (grown.pages.length > had.pages.length) onPage(grown);
  }
  return grown;
}

/** The list, at least `wanted` pages of it. Whoever changes its key's data or invalidates it is heard. */
export function useGrowingList<T>(queryKey: QueryKey, growing: Growing<T>, wanted: number) {
  const queries = useQueryClient();
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      grow(
        queries.getQueryData<Grown<T>>(queryKey),
        growing,
        wanted,
        (soFar) => !signal.aborted && queries.setQueryData(queryKey, soFar),
        signal,
      ),
  });
  const { data, isFetching, isError, refetch } = query;
  const pages = data?.pages ?? [];
  const hasMore = Boolean(pages.at(-1)?.next_cursor);
  const missing = hasMore && pages.length < wanted;
  useEffect(() => {
    if (missing && !isFetching && !isError) refetch();
  }, [missing, isFetching, isError, refetch]);
  // The same list as long as nothing changed: whoever scrolls renders often.
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  return {
    ...query,
    items,
    total: pages.at(-1)?.total ?? 0,
    hasMore,
    pages: pages.length,
  };
}
