import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import type { Notice, Page } from "@/api/types";
import { failed } from "@/ui/overlay/toast";

/** Say what you have read. It shows at once; one stays where it is until the list is read again. */
export function useReadNotices() {
  const queries = useQueryClient();
  const again = () => queries.invalidateQueries({ queryKey: keyOf("/api/notifications/count") });
  const show = (id: string) =>
    queries.setQueriesData<InfiniteData<Page<Notice>>>({ queryKey: keyOf("/api/notifications") }, (list) =>
      asRead(list, id),
    );
  const one = api.useMutation("post", "/api/notifications/read", {
    // Once more: a list that was read meanwhile does not know it yet.
    onSuccess: (_, { body }) => body.ids?.forEach(show),
    onSettled: again,
    onError: failed,
  });
  const all = api.useMutation("post", "/api/notifications/read", {
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf("/api/notifications") }),
    onSettled: again,
    onError: failed,
  });
  const read = (notice: Notice) => {
    if (notice.read) return;
    show(notice.id);
    one.mutate({ body: { ids: [notice.id] } });
  };
  return { read, readAll: () => all.mutate({ body: {} }), pending: all.isPending };
}

function asRead(list: InfiniteData<Page<Notice>> | undefined, id: string): InfiniteData<Page<Notice>> | undefined {
  if (!list) return list;
  const items = (page: Page<Notice>) => page.items.map((item) => (item.id === id ? { ...item, read: true } : item));
  return { ...list, pages: list.pages.map((page) => ({ ...page, items: items(page) })) };
}
