import { api } from "@/api/client";
import type { Run } from "@/api/types";
import page from "@/ui/page.module.css";
import { Ago } from "@/ui/time/clock";

/** What its agent was told of earlier corrections, in the words of that moment. */
export function ToldLessons({ run }: { run: Run }) {
  const list = api.useQuery("get", "/api/runs/{run_id}/lessons", {
    params: { path: { run_id: run.id }, query: { limit: 200 } },
  });
  const told = list.data?.items ?? [];
  if (told.length === 0) return null;
  return (
    <section className={`card ${page.panel}`} aria-label="Lessons it was told">
      <h2>Lessons it was told</h2>
      <ul className="stack small" style={{ margin: 0, paddingLeft: "1.1rem" }}>
        {told.map((lesson) => (
          <li key={`${lesson.lesson_id} ${lesson.told_at}`}>
            {lesson.text}{" "}
            <span className="dim">
              <Ago at={lesson.told_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
