import { Button, Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import classes from "./ask.module.css";
import { Bar } from "./Bar";
import { answerAlike } from "./batch";
import { answerLabel, optionsOf } from "./choices";
import { type DecideProps, isOpen } from "./decide";
import { FormAnswer } from "./FormAnswer";
import { Options } from "./Options";
import { Reply } from "./Reply";
import { Usual } from "./Usual";

/** A question in the form that its answer takes. */
export function Question({ ask, answering, children }: DecideProps) {
  const [alike, setAlike] = useState(false);
  if (!isOpen(ask)) return children;
  const send = (value: unknown) => {
    answering.send({ decision: "respond", value });
    if (alike) answerAlike(ask, value);
  };
  return (
    <>
      {children}
      <Bar ask={ask} answering={answering} sticky={false}>
        <Field type={ask.response_type} ask={ask} send={send} />
        {ask.similar > 0 && (
          <Checkbox
            size="xs"
            label={`Give the same answer to ${ask.similar === 1 ? "the other question that is" : `the ${ask.similar} others that are`} alike`}
            checked={alike}
            onChange={(event) => setAlike(event.currentTarget.checked)}
          />
        )}
        {ask.default != null && (
          <p className="small dim">
            {ask.blocking ? "Without an answer it takes: " : "It goes on with: "}
            <strong>{answerLabel(ask, ask.default)}</strong>
          </p>
        )}
      </Bar>
    </>
  );
}

interface FieldProps extends Pick<DecideProps, "ask"> {
  type: string | null | undefined;
  send: (value: unknown) => void;
}

function Field({ type, ask, send }: FieldProps) {
  switch (type) {
    case "choice":
      return <Options options={optionsOf(ask)} standard={ask.default} suggestion={ask.suggestion} onSend={send} />;
    case "boolean":
      return <YesOrNo ask={ask} onSend={send} />;
    case "number":
      return <NumberAnswer ask={ask} onSend={send} />;
    case "form":
      return <FormAnswer ask={ask} onSend={send} />;
    default:
      return (
        <>
          <Usual ask={ask} onUse={send} />
          <Reply
            label="Your answer"
            placeholder="The agent goes on with what you write"
            action="Send answer"
            onSend={send}
          />
        </>
      );
  }
}

interface AnswerProps extends Pick<DecideProps, "ask"> {
  onSend: (value: unknown) => void;
}

/** The words are the agent's own, where it gave them: approve and refuse, keep and drop. */
function YesOrNo({ ask, onSend }: AnswerProps) {
  const choices = optionsOf(ask).filter(({ value }) => typeof value === "boolean");
  const labels = new Map(choices.map(({ value, label }) => [value, label]));
  return (
    <>
      <Usual ask={ask} />
      <div className={classes.buttons}>
        <Button data-main onClick={() => onSend(true)}>
          {labels.get(true) ?? "Yes"}
        </Button>
        <Button data-main variant="default" onClick={() => onSend(false)}>
          {labels.get(false) ?? "No"}
        </Button>
      </div>
    </>
  );
}

function NumberAnswer({ ask, onSend }: AnswerProps) {
  const first = ask.suggestion?.value ?? ask.default;
  const [text, setText] = useState(typeof first === "number" ? String(first) : "");
  const value = Number(text);
  const ready = text.trim() !== "" && Number.isFinite(value);
  const send = () => ready && onSend(value);
  return (
    <>
      <Usual ask={ask} />
      <TextInput
        label="Your answer"
        type="number"
        step="any"
        maw={220}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && send()}
      />
      <div className={classes.buttons}>
        <Button data-main disabled={!ready} onClick={send}>
          Send answer
        </Button>
      </div>
    </>
  );
}
