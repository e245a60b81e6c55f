import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import classes from "./ask.module.css";
import { optionsOf } from "./choices";
import { type DecideProps, isOpen } from "./decide";
import { FormAnswer } from "./FormAnswer";
import { Options } from "./Options";
import { Reply } from "./Reply";

/** A question in the form that its answer takes. */
export function Question({ ask, answering }: DecideProps) {
  const send = (value: unknown) => answering.send({ decision: "respond", value });
  if (!isOpen(ask)) return null;
  return (
    <div className={classes.form}>
      <Field type={ask.response_type} ask={ask} answering={answering} send={send} />
      {ask.default != null && (
        <p className="small dim">
          {ask.blocking ? "Without an answer it takes: " : "It goes on with: "}
          <strong>{labelOf(ask)}</strong>
        </p>
      )}
    </div>
  );
}

interface FieldProps extends Omit<DecideProps, "shortcuts"> {
  type: string | null | undefined;
  send: (value: unknown) => void;
}

function Field({ type, ask, answering, send }: FieldProps) {
  switch (type) {
    case "choice":
      return <Options options={optionsOf(ask)} first={ask.default} pending={answering.pending} onSend={send} />;
    case "boolean":
      return <YesOrNo pending={answering.pending} onSend={send} />;
    case "number":
      return <NumberAnswer first={ask.default} pending={answering.pending} onSend={send} />;
    case "form":
      return <FormAnswer ask={ask} pending={answering.pending} onSend={send} />;
    default:
      return (
        <Reply
          label="Your answer"
          placeholder="The agent goes on with what you write"
          action="Send answer"
          pending={answering.pending}
          onSend={send}
        />
      );
  }
}

function labelOf({ default: value, options }: DecideProps["ask"]): string {
  const option = optionsOf({ options }).find((item) => item.value === value);
  if (option) return option.label;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return typeof value === "string" ? value : JSON.stringify(value);
}

interface AnswerProps {
  pending: boolean;
  onSend: (value: unknown) => void;
}

function YesOrNo({ pending, onSend }: AnswerProps) {
  const [sent, setSent] = useState<boolean | null>(null);
  const choose = (value: boolean) => {
    setSent(value);
    onSend(value);
  };
  return (
    <div className={classes.buttons}>
      <Button data-main loading={pending && sent === true} disabled={pending} onClick={() => choose(true)}>
        Yes
      </Button>
      <Button
        data-main
        variant="default"
        loading={pending && sent === false}
        disabled={pending}
        onClick={() => choose(false)}
      >
        No
      </Button>
    </div>
  );
}

function NumberAnswer({ first, pending, onSend }: AnswerProps & { first: unknown }) {
  const [text, setText] = useState(typeof first === "number" ? String(first) : "");
  const value = Number(text);
  const ready = text.trim() !== "" && Number.isFinite(value);
  const send = () => ready && onSend(value);
  return (
    <>
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
        <Button data-main loading={pending} disabled={!ready} onClick={send}>
          Send answer
        </Button>
      </div>
    </>
  );
}
