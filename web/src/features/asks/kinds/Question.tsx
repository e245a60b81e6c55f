import { Button, Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import { isExact } from "@/api/exactIntegers";
import type { Ask } from "@/api/types";
import { answerLabel, optionsOf } from "@/ui/domain/askOptions";
import { failed } from "@/ui/overlay/toast";
import { Prose } from "@/ui/text/Prose";
import { numberIn, valueText } from "@/ui/values/valueText";
import classes from "../ask.module.css";
import { DecisionBar } from "../decision/DecisionBar";
import { type DecideProps, isOpen } from "../decision/decideProps";
import { ReplyForm } from "../decision/ReplyForm";
import { draftOf, keepDraft } from "../outbox/answerDrafts";
import { MOST, othersIn } from "../outbox/batchAnswers";
import { useDecidedIds } from "../outbox/useOutbox";
import { AnswerOptions } from "./AnswerOptions";
import { FormAnswer } from "./FormAnswer";
import { UsualAnswer } from "./UsualAnswer";

/** A question in the form that its answer takes. */
export function Question({ ask, answering, children }: DecideProps) {
  const [alike, setAlike] = useState<Ask[]>([]);
  const context = ask.context && <Prose text={ask.context} />;
  if (!isOpen(ask))
    return (
      <>
        {context}
        {children}
      </>
    );
  return (
    <>
      {context}
      <DecisionBar ask={ask} answering={answering} sticky={false}>
        <AnswerField
          type={ask.response_type}
          ask={ask}
          send={(value) => answering.send({ decision: "respond", value }, alike)}
        />
        {ask.similar > 0 && <Alike ask={ask} chosen={alike} onChoose={setAlike} />}
        {ask.kind === "clarification" && ask.run_id && <Skip runId={ask.run_id} />}
        {ask.default != null && (
          <p className="small dim">
            {ask.blocking ? "Without an answer it uses: " : "Meanwhile it uses: "}
            <strong>{answerLabel(ask, ask.default)}</strong>
          </p>
        )}
      </DecisionBar>
      {children}
    </>
  );
}

interface AlikeProps {
  ask: Ask;
  chosen: Ask[];
  onChoose: (alike: Ask[]) => void;
}

/** The others that are alike, as they are when somebody chooses them: what comes later is not answered unseen. */
function Alike({ ask, chosen, onChoose }: AlikeProps) {
  const query = { status: "pending", alike: ask.id, limit: MOST };
  const found = api.useQuery("get", "/api/asks", { params: { query } });
  const others = othersIn(found.data?.items ?? [], ask, useDecidedIds());
  const count = chosen.length || others.length || ask.similar;
  return (
    <Checkbox
      size="xs"
      label={`Give the same answer to ${count === 1 ? "the other similar question" : `the ${count} other similar questions`}`}
      disabled={others.length === 0}
      checked={chosen.length > 0}
      onChange={(event) => onChoose(event.currentTarget.checked ? others : [])}
    />
  );
}

function Skip({ runId }: { runId: string }) {
  const skip = api.useMutation("post", "/api/runs/{run_id}/skip-clarification", { onError: failed });
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        className={classes.extra}
        loading={skip.isPending}
        onClick={() => skip.mutate({ params: { path: { run_id: runId } } })}
      >
        Skip, start anyway
      </Button>
    </div>
  );
}

interface FieldProps extends Pick<DecideProps, "ask"> {
  type: string | null | undefined;
  send: (value: unknown) => void;
}

/** Where an answer of this type is given. */
export function AnswerField({ type, ask, send }: FieldProps) {
  const { value: written } = draftOf(ask);
  const keep = (value: unknown) => keepDraft(ask, { decision: "respond", value });
  switch (type) {
    case "choice":
      return (
        <AnswerOptions
          options={optionsOf(ask)}
          standard={ask.default}
          suggestion={ask.suggestion}
          written={written}
          onChoose={keep}
          onSend={send}
        />
      );
    case "boolean":
      return <YesOrNo ask={ask} onSend={send} />;
    case "number":
      return <NumberAnswer ask={ask} written={written} onWrite={keep} onSend={send} />;
    case "form":
      return <FormAnswer ask={ask} written={written} onWrite={keep} onSend={send} />;
    default:
      return (
        <>
          <UsualAnswer ask={ask} onUse={send} />
          <ReplyForm
            label="Your answer"
            placeholder="The agent continues with your answer"
            action="Send answer"
            first={typeof written === "string" ? written : undefined}
            onWrite={keep}
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
      <UsualAnswer ask={ask} />
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

interface WrittenProps extends AnswerProps {
  written: unknown;
  onWrite: (value: unknown) => void;
}

function NumberAnswer({ ask, written, onWrite, onSend }: WrittenProps) {
  const first = written ?? ask.suggestion?.value ?? ask.default;
  const [text, setText] = useState(typeof first === "number" || isExact(first) ? valueText(first) : "");
  const value = numberIn(text);
  const send = () => value !== null && onSend(value);
  return (
    <>
      <UsualAnswer ask={ask} />
      <TextInput
        label="Your answer"
        type="number"
        step="any"
        maw={220}
        value={text}
        onChange={({ currentTarget: { value: next } }) => {
          setText(next);
          onWrite(numberIn(next));
        }}
        onKeyDown={(event) => event.key === "Enter" && send()}
      />
      <div className={classes.buttons}>
        <Button data-main disabled={value === null} onClick={send}>
          Send answer
        </Button>
      </div>
    </>
  );
}
