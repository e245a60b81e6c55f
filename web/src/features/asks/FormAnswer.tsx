import { Button } from "@mantine/core";
import { Suspense, useState } from "react";
import type { Ask } from "@/api/types";
import { Loading } from "@/ui/States";
import classes from "./ask.module.css";
import { type Draft, ValueEditor } from "./edit";
import { Problems } from "./Problems";

interface FormAnswerProps {
  ask: Ask;
  onSend: (value: unknown) => void;
}

/** An answer with several fields, made from the ask's schema. */
export function FormAnswer({ ask, onSend }: FormAnswerProps) {
  const first = ask.suggestion?.value ?? ask.default ?? {};
  const [draft, setDraft] = useState<Draft>({ values: first as Draft["values"], problem: null });
  const [errors, setErrors] = useState<{ path: string; message: string }[]>([]);
  const send = async () => {
    if (!draft.values) return;
    const { problemsOf } = await import("@/ui/edit/schemas");
    const wrong = problemsOf(ask.schema ?? {}, draft.values);
    setErrors(wrong);
    if (wrong.length === 0) onSend(draft.values);
  };
  return (
    <>
      <Suspense fallback={<Loading lines={2} height={56} />}>
        <ValueEditor
          label="Your answer"
          schema={ask.schema}
          value={first}
          onChange={(values, problem) => {
            setDraft({ values, problem });
            setErrors(problem ? [{ path: "", message: problem }] : []);
          }}
        />
      </Suspense>
      <Problems errors={errors} />
      <div className={classes.buttons}>
        <Button data-main disabled={!draft.values} onClick={send}>
          Send answer
        </Button>
      </div>
    </>
  );
}
