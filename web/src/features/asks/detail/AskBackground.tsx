import { useMemberNames } from "@/api/memberNames";
import type { Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import { Prose } from "@/ui/text/Prose";
import { Ago } from "@/ui/time/clock";
import { Fields, Value } from "@/ui/values/Values";
import { changesBetween } from "../arguments/argumentChanges";
import { ChangeList } from "../arguments/ChangeList";
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
            <h3 className="label">If denied</h3>
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
        <Icon name="lightbulb" size={14} /> Earlier corrections
      </h3>
      <ul className={classes.reasons}>
        {ask.lessons.map((lesson) => (
          <li key={lesson.id}>
            <Lesson lesson={lesson} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const DID: Record<string, string> = { edited: "changed it", refused: "denied it", redirected: "said instead" };

/** In a person's words where there are any; what was changed, field by field. */
function Lesson({ lesson }: { lesson: Ask["lessons"][number] }) {
  const { original, changed, own_text: own, reason } = lesson;
  const named = useMemberNames();
  return (
    <>
      <span className="small dim">
        {named(lesson.created_by)} {DID[lesson.kind] ?? "wrote"}, <Ago at={lesson.created_at} />
      </span>
      {(own || reason) && <p>“{own || reason}”</p>}
      {!own && changed && <ChangeList changes={changesBetween(original ?? {}, changed)} />}
      {!own && !changed && original && (
        <details>
          <summary className="small dim">What it wanted</summary>
          <Fields values={Object.entries(original)} />
        </details>
      )}
    </>
  );
}
