import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import type { Ask } from "@/api/types";
import { Loading } from "@/ui/States";
import { hasExact } from "@/ui/values/valueText";
import { type EditedValues, problemsIn, ValueEditor } from "../arguments/editedArguments";
import { FieldErrors } from "../arguments/FieldErrors";
import classes from "../ask.module.css";

const SchemaForm = lazy(() => import("@/ui/editor/SchemaForm").then((form) => ({ default: form.SchemaForm })));

interface FormAnswerProps {
  ask: Ask;
  written: unknown;
  onWrite: (value: unknown) => void;
  onSend: (value: unknown) => void;
}

/** An answer with several fields, made from the ask's schema. */
export function FormAnswer({ ask, written, onWrite, onSend }: FormAnswerProps) {
  const [first] = useState(() => (written ?? ask.suggestion?.value ?? ask.default ?? {}) as EditedValues["values"]);
  // The form can show such a number and not change it; the editor has text beside the form.
  const needsText = hasExact(first) || hasExact(ask.schema);
  const [draft, setDraft] = useState<EditedValues>({ values: first, problem: null });
  const [errors, setErrors] = useState<{ path: string; message: string }[]>([]);
  const change = (values: EditedValues["values"], problem: string | null) => {
    setDraft({ values, problem });
    setErrors(problem ? [{ path: "", message: problem }] : []);
    if (values) onWrite(values);
  };
  const send = async () => {
    if (!draft.values) return;
    const wrong = await problemsIn(ask.schema, draft.values);
    setErrors(wrong);
    if (wrong.length === 0) onSend(draft.values);
  };
  return (
    <>
      <Suspense fallback={<Loading lines={2} height={56} />}>
        {ask.schema?.properties && !needsText ? (
          <SchemaForm schema={ask.schema} value={draft.values} onChange={(values) => change(values, null)} />
        ) : (
          <ValueEditor label="Your answer" schema={ask.schema} value={first} onChange={change} />
        )}
      </Suspense>
      <FieldErrors errors={errors} />
      <div className={classes.buttons}>
        <Button data-main disabled={!draft.values} onClick={send}>
          Send answer
        </Button>
      </div>
    </>
  );
}
