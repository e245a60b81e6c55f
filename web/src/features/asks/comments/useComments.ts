import { api } from "@/api/client";

/** The conversation about an ask, oldest first. */
export const useComments = (askId: string) =>
  api.useInfiniteQuery(
    "get",
    "/api/asks/{ask_id}/comments",
    { params: { path: { ask_id: askId }, query: { limit: 100 } } },
    { initialPageParam: null, getNextPageParam: (last) => last.next_cursor, pageParamName: "cursor" },
  );
