import { type Option, optionsOf } from "@/ui/domain/askOptions";
import { Fields } from "@/ui/values/Values";
import classes from "../ask.module.css";
import { DecisionBar } from "../decision/DecisionBar";
import { type DecideProps, isOpen } from "../decision/decideProps";
import { draftOf, keepDraft } from "../outbox/answerDrafts";
import { AnswerOptions } from "./AnswerOptions";

const USUAL: Option[] = [
  { id: "retry", label: "Try again", value: "retry", description: "Run the call again. It may then happen twice." },
  {
    id: "skip",
    label: "Skip it",
    value: "skip",
    description: "The agent continues, knowing that it may or may not have happened.",
  },
  {
    id: "done",
    label: "It is done",
    value: "done",
    description: "It did happen. The agent continues.",
  },
];

/** A call whose end nobody knows, or that keeps failing: what now? */
export function Recovery({ ask, answering, children }: DecideProps) {
  const own = optionsOf(ask);
  return (
    <>
      {ask.arguments && (
        <div className={classes.body}>
          <Fields values={Object.entries(ask.arguments)} />
        </div>
      )}
      {isOpen(ask) && (
        <DecisionBar ask={ask} answering={answering} sticky={false}>
          <AnswerOptions
            options={own.length > 0 ? own : USUAL}
            standard={ask.default}
            written={draftOf(ask).value}
            onChoose={(value) => keepDraft(ask, { decision: "respond", value })}
            onSend={(value) => answering.send({ decision: "respond", value })}
          />
        </DecisionBar>
      )}
      {children}
    </>
  );
}
