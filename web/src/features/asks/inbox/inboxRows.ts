import type { Ask, AskGroup } from "@/api/types";
import { leftIn, useAskGroups } from "../groups/askGroups";
import { useDecidedIds, useOutgoing } from "../outbox/useOutbox";
import { groupsQueryOf, type InboxSearch } from "./inboxSearch";
import { type OpenAsks, useOpenAsks } from "./openAsks";

/** One row of the inbox: an ask, or a group of those that are alike with how many of it are left. */
export interface InboxRow {
  ask: Ask;
  group?: AskGroup & { likeness: string };
  left: number;
}

/** What a list of either kind says about itself. */
export type Listed = Pick<
  OpenAsks,
  | "isPending"
  | "isError"
  | "isSuccess"
  | "error"
  | "isFetching"
  | "hasNextPage"
  | "isFetchNextPageError"
  | "dataUpdatedAt"
> & { refetch: () => unknown; fetchNextPage: () => unknown };

/** What waits, each by itself or grouped, without what is decided and only about to be sent. */
export function useInboxRows(search: InboxSearch) {
  const grouped = search.grouped === true && !search.view;
  const single = useOpenAsks(search, !grouped);
  const groups = useAskGroups(groupsQueryOf(search), grouped);
  const decided = useDecidedIds();
  const going = useOutgoing();
  const list: Listed = grouped ? groups : single;
  if (grouped) {
    const all = groups.data?.pages.flatMap(({ items }) => items) ?? [];
    const rows = all.map((group) => groupRow(group, leftIn(group, going)));
    const open = rows.filter(({ left, ask, group }) => left > 0 && (group !== undefined || !decided.has(ask.id)));
    return { list, single, rows: open, total: undefined };
  }
  const all = single.data?.pages.flatMap(({ items }) => items) ?? [];
  const open = all.filter(({ id }) => !decided.has(id));
  const total = Math.max(0, (single.data?.pages[0]?.total ?? 0) - (all.length - open.length));
  return { list, single, rows: open.map((ask): InboxRow => ({ ask, left: 1 })), total };
}

export function groupRow(group: AskGroup, left: number): InboxRow {
  const { likeness, count, first: ask } = group;
  return likeness !== null && count > 1 ? { ask, left, group: { ...group, likeness } } : { ask, left };
}
