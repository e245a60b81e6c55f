import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import { useMay } from "@/api/roles";
import { LoadMore } from "@/ui/list/LoadMore";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { LessonRow } from "./LessonRow";
import { LessonTextDialog } from "./LessonTextDialog";
import { useLessonChanges } from "./useLessonChanges";

/** What people corrected: agents read the ones that fit before they propose such a call again. */
export default function Lessons() {
  const may = useMay("approver");
  const changes = useLessonChanges();
  const [chosen, setChosen] = useState<string[]>([]);
  const [merging, setMerging] = useState(false);
  const list = api.useInfiniteQuery(
    "get",
    "/api/lessons",
    { params: { query: { limit: 50 } } },
    { initialPageParam: null, getNextPageParam: (last) => last.next_cursor, pageParamName: "cursor" },
  );
  if (list.isPending) return <Loading lines={4} height={56} />;
  if (!list.data) return <Failed what="Couldn't load the lessons" error={list.error} retry={() => list.refetch()} />;
  const lessons = list.data.pages.flatMap(({ items }) => items);
  if (lessons.length === 0)
    return (
      <Empty icon="lightbulb" title="No lessons yet">
        When someone denies a call and says why, or changes its arguments, the agent reads that next time. What it will
        read appears here.
      </Empty>
    );
  // What was merged or deleted meanwhile is not chosen any more.
  const together = lessons.filter(({ id }) => chosen.includes(id));
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <>
      {together.length > 1 && (
        <div className="row" style={{ marginBottom: "0.75rem" }}>
          <Button variant="default" onClick={() => setMerging(true)}>
            Merge {together.length} into one
          </Button>
        </div>
      )}
      <ul className={`card ${page.list}`} style={{ margin: 0, padding: 0, listStyle: "none" }}>
        {lessons.map((lesson) => (
          <LessonRow
            key={lesson.id}
            lesson={lesson}
            may={may}
            chosen={chosen.includes(lesson.id)}
            onChoose={() => toggle(lesson.id)}
            changes={changes}
          />
        ))}
      </ul>
      <LoadMore list={list} />
      {merging && (
        <LessonTextDialog
          title={`Merge ${together.length} lessons`}
          action="Merge"
          text={together.map(({ text }) => text).join("\n")}
          pending={changes.pending}
          onSave={(text) =>
            changes.merge(
              together.map(({ id }) => id),
              text,
              () => {
                setMerging(false);
                setChosen([]);
              },
            )
          }
          onClose={() => setMerging(false)}
        />
      )}
    </>
  );
}
