import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import { useMemberNames } from "@/api/memberNames";
import { useMay } from "@/api/roles";
import { VersionHistory } from "@/ui/editor/VersionHistory";
import { Icon } from "@/ui/icons";
import { Empty, Failed, Loading } from "@/ui/States";
import type { Rules, RulesDraft } from "../editor/rulesDraft";

interface RuleVersionsProps {
  rules: Rules;
  draft: RulesDraft;
}

/** Every version that was in use, and what each changed. */
export default function RuleVersions({ rules, draft }: RuleVersionsProps) {
  const may = useMay("admin") && !rules.file;
  const navigate = useNavigate();
  const named = useMemberNames();
  const list = api.useInfiniteQuery(
    "get",
    "/api/rules/versions",
    { params: { query: { limit: 50 } } },
    { initialPageParam: null, getNextPageParam: (last) => last.next_cursor, pageParamName: "cursor" },
  );
  if (list.isPending) return <Loading lines={5} />;
  if (!list.data) return <Failed what="Couldn't load the versions" error={list.error} retry={() => list.refetch()} />;
  const [newest, ...older] = list.data.pages
    .flatMap(({ items }) => items)
    .map(({ version, yaml, note, created_by, created_at }) => ({
      number: version,
      text: yaml,
      note,
      by: named(created_by),
      at: created_at,
    }));
  if (!newest)
    return (
      <Empty icon="history" title="No versions yet">
        Every saved version is kept here.
      </Empty>
    );
  const restore = (yaml: string) => {
    draft.change(yaml);
    navigate({ to: "/rules", search: {} });
  };
  return (
    <VersionHistory
      noun="Version"
      versions={[newest, ...older]}
      current={rules.version}
      currentWords="in use"
      list={list}
      action={({ number, text }) =>
        may &&
        number !== rules.version && (
          <Button variant="default" leftSection={<Icon name="rotate-ccw" size={14} />} onClick={() => restore(text)}>
            Edit from this version
          </Button>
        )
      }
    />
  );
}
