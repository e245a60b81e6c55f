import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import { useMay } from "@/api/roles";
import type { components } from "@/api/schema";
import { LoadMore } from "@/ui/list/LoadMore";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { Tag } from "@/ui/Tag";
import { Ago } from "@/ui/time/clock";
import { Fields } from "@/ui/values/Values";

/** What people corrected: agents read the ones that fit before they propose such a call again. */
export default function Lessons() {
  const may = useMay("approver");
  const queries = useQueryClient();
  const list = api.useInfiniteQuery(
    "get",
    "/api/lessons",
    { params: { query: { limit: 50 } } },
    { initialPageParam: null, getNextPageParam: (last) => last.next_cursor, pageParamName: "cursor" },
  );
  const forget = api.useMutation("delete", "/api/lessons/{lesson_id}", {
    onSuccess: () => {
      said("Forgotten: agents are not told this again.");
      return queries.invalidateQueries({ queryKey: keyOf("/api/lessons") });
    },
    onError: failed,
  });
  if (list.isPending) return <Loading lines={4} height={56} />;
  if (!list.data)
    return <Failed what="The lessons could not be loaded" error={list.error} retry={() => list.refetch()} />;
  const lessons = list.data.pages.flatMap(({ items }) => items);
  if (lessons.length === 0)
    return (
      <Empty icon="lightbulb" title="No lessons yet">
        When somebody refuses a call or changes its arguments, the agent reads it the next time. What it will read shows
        here.
      </Empty>
    );
  return (
    <>
      <ul className={`card ${page.list}`} style={{ margin: 0, padding: 0, listStyle: "none" }}>
        {lessons.map((lesson) => (
          <li key={lesson.id} className={page.panel} style={{ gap: "0.35rem", paddingBlock: "0.75rem" }}>
            <div className="row wrap">
              <Tag tone={lesson.kind === "refused" || lesson.kind === "denied" ? "bad" : "info"}>{lesson.kind}</Tag>
              <code>{lesson.tool}</code>
              <span className="small dim grow">
                {lesson.agent} ·{" "}
                <Link to="/asks/$askId" params={{ askId: lesson.ask_id }}>
                  {lesson.created_by}, <Ago at={lesson.created_at} />
                </Link>
              </span>
              {may && (
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={forget.isPending && forget.variables?.params.path.lesson_id === lesson.id}
                  onClick={() => forget.mutate({ params: { path: { lesson_id: lesson.id } } })}
                >
                  Forget
                </Button>
              )}
            </div>
            <LessonText lesson={lesson} />
          </li>
        ))}
      </ul>
      <LoadMore list={list} />
    </>
  );
}

/** Why, in the person's words; what it was about, on demand. */
function LessonText({ lesson }: { lesson: components["schemas"]["LessonOut"] }) {
  const { original, changed, reason } = lesson;
  return (
    <>
      {reason && <p>“{reason}”</p>}
      <details>
        <summary className="small dim">{changed ? "What was changed" : "What it wanted"}</summary>
        <div className="stack small" style={{ paddingTop: "0.5rem" }}>
          {original && <Fields values={Object.entries(original)} />}
          {changed && (
            <>
              <div className="label">As it was changed</div>
              <Fields values={Object.entries(changed)} />
            </>
          )}
        </div>
      </details>
    </>
  );
}
