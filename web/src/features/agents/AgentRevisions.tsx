import { stringify } from "yaml";
import { api } from "@/api/client";
import { useMemberNames } from "@/api/memberNames";
import { VersionHistory } from "@/ui/editor/VersionHistory";
import { Failed, Loading } from "@/ui/States";

/** Every revision, and what each changed. */
export default function AgentRevisions({ slug, current }: { slug: string; current: number }) {
  const list = api.useInfiniteQuery(
    "get",
    "/api/agents/{slug}/revisions",
    { params: { path: { slug }, query: { limit: 50 } } },
    { initialPageParam: null, getNextPageParam: (last) => last.next_cursor, pageParamName: "cursor" },
  );
  const named = useMemberNames();
  if (list.isPending) return <Loading lines={4} />;
  if (!list.data) return <Failed what="Couldn't load the revisions" error={list.error} retry={() => list.refetch()} />;
  const [newest, ...older] = list.data.pages
    .flatMap(({ items }) => items)
    .map(({ revision, definition, created_by, created_at }) => ({
      number: revision,
      text: stringify(definition, { lineWidth: 0 }),
      by: named(created_by),
      at: created_at,
    }));
  if (!newest) return null;
  return (
    <VersionHistory noun="Revision" versions={[newest, ...older]} current={current} currentWords="in use" list={list} />
  );
}
