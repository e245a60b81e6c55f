import type { Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import { Prose } from "@/ui/text/Prose";
import { Ago } from "@/ui/time/clock";
import { Value } from "@/ui/values/Values";
import classes from "../ask.module.css";
import { QuestionThread } from "./QuestionThread";

/** What helps to decide: what was done, what a refusal means, what was learnt, what happened to this ask. */
export function AskBackground({ ask }: { ask: Ask }) {
  const data = ask.supporting_data;
  // A question shows its context beside the question.
  const done = !ASKED.has(ask.kind) && ask.context;
  const refused = ask.alternatives ?? (ask.kind === "plan" ? "It reads your reason and plans again." : null);
  return (
    <div className={classes.background}>
      <div className={classes.pairs}>
        {done && (
          <section>
            <h3 className="label">Done so far</h3>
            <Prose text={done.replace("Done so far: ", "")} />
          </section>
        )}
        {refused && (
          <section>
            <h3 className="label">If refused</h3>
            <Prose text={refused} />
          </section>
        )}
      </div>
      {isData(data) && (
        <section>
          <h3 className="label">Supporting data</h3>
          <Value value={data} />
        </section>
      )}
      <Lessons ask={ask} />
      {(ask.follows || ask.kind === "question") && <QuestionThread ask={ask} />}
    </div>
  );
}

const ASKED = new Set(["question", "clarification"]);
const isData = (data: unknown): boolean => data !== null && data !== undefined;

/** What people changed or refused before, in such a case. */
function Lessons({ ask }: { ask: Ask }) {
  if (ask.lessons.length === 0) return null;
  return (
    <section className={classes.lessons}>
      <h3 className="label row" style={{ gap: "0.35rem" }}>
        <Icon name="lightbulb" size={14} /> Learnt before
      </h3>
      <ul className={classes.reasons}>
        {ask.lessons.map((lesson) => (
          <li key={lesson.id}>
            {lesson.text}{" "}
            <span className="small dim">
              {lesson.created_by}, <Ago at={lesson.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
