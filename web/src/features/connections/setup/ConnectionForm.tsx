import { Button, TextInput } from "@mantine/core";
import { type FormEvent, type RefObject, useEffect, useRef } from "react";
import type { Connection, ConnectionKind } from "@/api/types";
import page from "@/ui/page.module.css";
import { SetupField } from "@/ui/setup/SetupField";
import setup from "@/ui/setup/setup.module.css";
import type { Refusal } from "@/ui/setup/setupRefusal";
import { shownFields, type Texts, withText } from "@/ui/setup/setupTexts";
import { FORMS } from "./connectionForms";
import classes from "./setup.module.css";

export interface Draft {
  name: string;
  slug: string;
  texts: Texts;
}

interface ConnectionFormProps {
  kind: ConnectionKind;
  saved?: Connection;
  draft: Draft;
  refusal: Refusal;
  pending: boolean;
  /** Whether there is something to save. */
  changed: boolean;
  /** Where the reader is put once it is saved. */
  heading?: RefObject<HTMLHeadingElement | null>;
  onChange: (draft: Draft) => void;
  onSave: () => void;
}

/** What a connection needs to know, with every mistake at its field. */
export function ConnectionForm(props: ConnectionFormProps) {
  const { kind, saved, draft, refusal, pending, changed, heading, onChange, onSave } = props;
  const form = useRef<HTMLFormElement>(null);
  const wrong = Object.keys(refusal.at).length > 0;
  useEffect(() => {
    if (wrong) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [wrong]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  return (
    <form ref={form} className={`card ${page.panel}`} aria-label="Set-up" onSubmit={submit}>
      <h2 ref={heading} tabIndex={-1}>
        Set-up
      </h2>
      <TextInput
        label="Name"
        description={
          <>
            Its tools are named <code>{draft.slug || "name"}__…</code> for agents and rules.
          </>
        }
        inputWrapperOrder={["label", "input", "description", "error"]}
        withAsterisk
        maxLength={100}
        autoComplete="off"
        error={refusal.at.name}
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
      />
      <div className={setup.fields}>
        {shownFields(FORMS[kind], draft.texts).map((field) => (
          <SetupField
            key={field.path}
            field={field}
            value={draft.texts[field.path] ?? ""}
            error={refusal.at[field.path]}
            saved={saved}
            onChange={(text) => onChange({ ...draft, texts: withText(draft.texts, field, text) })}
          />
        ))}
      </div>
      {(wrong || refusal.other) && (
        <p role="alert" className={classes.bad}>
          {refusal.other ?? "Not saved yet: see what is marked above."}
        </p>
      )}
      <Button type="submit" className={classes.save} loading={pending} disabled={!changed || !draft.slug}>
        {saved ? "Save" : "Connect"}
      </Button>
    </form>
  );
}
