import { Button, UnstyledButton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { stringify } from "yaml";
import { api } from "@/api/client";
import rules from "@/features/rules/rules.module.css";
import { Ago } from "@/ui/clock";
import { Failed, Loading } from "@/ui/States";
import type { Definition } from "./definition";

const TextDiff = lazy(() => import("@/ui/edit/TextDiff"));

const written = (definition: Definition | undefined): string =>
  definition ? stringify(definition, { lineWidth: 0 }) : "";

/** Every revision, and what each changed. */
export default function Revisions({ slug, current }: { slug: string; current: number }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const list = api.useInfiniteQuery(
    "get",
    "/api/agents/{slug}/revisions",
    { params: { path: { slug }, query: { limit: 50 } } },
    { initialPageParam: null, getNextPageParam: (last) => last.next_cursor, pageParamName: "cursor" },
  );
  if (list.isPending) return <Loading lines={4} />;
  if (!list.data)
    return <Failed what="The revisions could not be loaded" error={list.error} retry={() => list.refetch()} />;
  const revisions = list.data.pages.flatMap(({ items }) => items);
  const at = Math.max(
    0,
    revisions.findIndex(({ revision }) => revision === chosen),
  );
  const shown = revisions[at];
  if (!shown) return null;
  return (
    <div className={rules.history}>
      <div className="card">
        <ul className={rules.versions}>
          {revisions.map((each) => (
            <li key={each.revision}>
              <UnstyledButton
                className={rules.version}
                aria-pressed={each === shown}
                onClick={() => setChosen(each.revision)}
              >
                <span className="row">
                  <strong>Revision {each.revision}</strong>
                  {each.revision === current && <span className="tiny dim">in use</span>}
                </span>
                <span className="tiny dim" style={{ display: "block" }}>
                  {each.created_by}, <Ago at={each.created_at} />
                </span>
              </UnstyledButton>
            </li>
          ))}
        </ul>
        {list.hasNextPage && (
          <Button variant="subtle" fullWidth loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Older revisions
          </Button>
        )}
      </div>
      <section className="stack" aria-label={`Revision ${shown.revision}`}>
        <h2>What revision {shown.revision} changed</h2>
        <Suspense fallback={<Loading lines={1} height={240} />}>
          <TextDiff
            before={written(revisions[at + 1]?.definition)}
            after={written(shown.definition)}
            label={`Revision ${shown.revision} against the one before`}
          />
        </Suspense>
      </section>
    </div>
  );
}
