import { Button, UnstyledButton } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { api } from "@/api/client";
import { useMay } from "@/features/session/roles";
import { Ago } from "@/ui/clock";
import { Icon } from "@/ui/icons";
import { Empty, Failed, Loading } from "@/ui/States";
import type { DraftOfRules, Rules } from "./draft";
import classes from "./rules.module.css";

const TextDiff = lazy(() => import("@/ui/edit/TextDiff"));

interface HistoryProps {
  rules: Rules;
  draft: DraftOfRules;
}

/** Every version that was in force, and what each changed. */
export default function History({ rules, draft }: HistoryProps) {
  const may = useMay("admin") && !rules.file;
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<number | null>(null);
  const list = api.useInfiniteQuery(
    "get",
    "/api/rules/versions",
    { params: { query: { limit: 50 } } },
    { initialPageParam: null, getNextPageParam: (last) => last.next_cursor, pageParamName: "cursor" },
  );
  if (list.isPending) return <Loading lines={5} />;
  if (!list.data)
    return <Failed what="The versions could not be loaded" error={list.error} retry={() => list.refetch()} />;
  const versions = list.data.pages.flatMap(({ items }) => items);
  const at = Math.max(
    0,
    versions.findIndex(({ version }) => version === chosen),
  );
  const shown = versions[at];
  if (!shown)
    return (
      <Empty icon="history" title="No versions yet">
        Each time somebody saves the rules, the version before is kept here.
      </Empty>
    );
  const restore = () => {
    draft.change(shown.yaml);
    navigate({ to: "/rules", search: {} });
  };
  return (
    <div className={classes.history}>
      <div className="card">
        <ul className={classes.versions}>
          {versions.map((each) => (
            <li key={each.version}>
              <UnstyledButton
                className={classes.version}
                aria-pressed={each === shown}
                onClick={() => setChosen(each.version)}
              >
                <span className="row">
                  <strong>Version {each.version}</strong>
                  {each.version === rules.version && <span className="tiny dim">in force</span>}
                </span>
                {each.note && <span className="small">{each.note}</span>}
                <span className="tiny dim" style={{ display: "block" }}>
                  {each.created_by}, <Ago at={each.created_at} />
                </span>
              </UnstyledButton>
            </li>
          ))}
        </ul>
        {list.hasNextPage && (
          <Button variant="subtle" fullWidth loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Older versions
          </Button>
        )}
      </div>
      <section className="stack" aria-label={`Version ${shown.version}`}>
        <div className="row wrap">
          <h2 className="grow">What version {shown.version} changed</h2>
          {may && shown.version !== rules.version && (
            <Button variant="default" leftSection={<Icon name="rotate-ccw" size={14} />} onClick={restore}>
              Edit from this version
            </Button>
          )}
        </div>
        <Suspense fallback={<Loading lines={1} height={200} />}>
          <TextDiff
            before={versions[at + 1]?.yaml ?? ""}
            after={shown.yaml}
            label={`Version ${shown.version} against the one before`}
          />
        </Suspense>
      </section>
    </div>
  );
}
