import { useInfiniteQuery } from "@tanstack/react-query";
import { http } from "@/api/client";
import { allRead } from "@/api/lists";
import type { Ask, Page } from "@/api/types";
import { type InboxSearch, queryOf } from "./search";

// Enough for a screen at once; then larger steps for those who scroll.
const FIRST = 50;
const MORE = 200;

/** The open asks that match, page after page. */
export function useOpenAsks(search: InboxSearch) {
  const query = queryOf(search);
  return useInfiniteQuery({
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

/** The first of each kind of alike asks. */
export function firstOfEach(asks: Ask[]): Ask[] {
  const seen = new Set<string>();
  return asks.filter((ask) => {
    const key = ask.likeness ?? ask.id;
    return !seen.has(key) && Boolean(seen.add(key));
  });
}
