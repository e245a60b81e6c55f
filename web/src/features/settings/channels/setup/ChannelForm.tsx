import { Button, Checkbox, TextInput } from "@mantine/core";
import { type FormEvent, type RefObject, useEffect, useRef } from "react";
import type { Channel, ChannelKind } from "@/api/types";
import page from "@/ui/page.module.css";
import { FoldedFields } from "@/ui/setup/FoldedFields";
import setup from "@/ui/setup/setup.module.css";
import type { Field } from "@/ui/setup/setupFields";
import type { Refusal } from "@/ui/setup/setupRefusal";
import { ChannelField } from "./ChannelField";
import { type About, type Draft, written } from "./channelDraft";
import { FORMS } from "./channelForms";
import classes from "./setup.module.css";

const ABOUT: Record<About, { label: string; description: string }> = {
  asks: { label: "Asks", description: "An agent waits for a person." },
  failures: { label: "Failures", description: "A run failed, was rejected or ran out of time." },
  completions: { label: "Completions", description: "A run is done." },
};

interface ChannelFormProps {
  kind: ChannelKind;
  saved?: Channel;
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

/** What a channel needs to know, with every mistake at its field. */
export function ChannelForm(props: ChannelFormProps) {
  const { kind, saved, draft, refusal, pending, changed, heading, onChange, onSave } = props;
  const form = useRef<HTMLFormElement>(null);
  const { fields, folds = [], shared } = FORMS[kind];
  const wrong = Object.keys(refusal.at).length > 0;
  useEffect(() => {
    if (wrong) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [wrong]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  const shown = (field: Field) => (
    <ChannelField
      key={field.path}
      field={field}
      value={draft.texts[field.path] ?? ""}
      error={refusal.at[field.path]}
      saved={saved}
      onChange={(text) => onChange(written(draft, field, text))}
    />
  );
  return (
    <form ref={form} className={`card ${page.panel}`} aria-label="Set-up" onSubmit={submit}>
      <h2 ref={heading} tabIndex={-1}>
        {saved ? "Set-up" : "Enter it here"}
      </h2>
      <TextInput
        label="Name"
        description="Rules and agents name the channel by it."
        inputWrapperOrder={["label", "input", "description", "error"]}
        withAsterisk
        maxLength={100}
        autoComplete="off"
        error={refusal.at.name}
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
      />
      <div className={setup.fields}>{fields.map(shown)}</div>
      {folds.map((fold) => (
        <FoldedFields
          key={fold.title}
          fold={fold}
          begun={fold.fields.some(({ path, initial }) => initial === undefined && draft.texts[path])}
          wrong={fold.fields.some(({ path }) => refusal.at[path])}
        >
          {fold.fields.map(shown)}
        </FoldedFields>
      ))}
      {shared && <WhatItIsTold about={draft.about} onChange={(about) => onChange({ ...draft, about })} />}
      {(wrong || refusal.other) && (
        <p role="alert" className={classes.bad}>
          {refusal.other ?? "Not saved yet: see what is marked above."}
        </p>
      )}
      <Button type="submit" className={classes.save} loading={pending} disabled={!changed || !draft.name.trim()}>
        Save
      </Button>
    </form>
  );
}

/** For a place that many read: a rule or an agent can name its channels, then those are told instead. */
function WhatItIsTold({ about, onChange }: { about: About[]; onChange: (about: About[]) => void }) {
  const order = Object.keys(ABOUT) as About[];
  return (
    <fieldset className={classes.checks}>
      <legend>What it is told</legend>
      {order.map((each) => (
        <Checkbox
          key={each}
          {...ABOUT[each]}
          checked={about.includes(each)}
          onChange={({ currentTarget }) =>
            onChange(order.filter((one) => (one === each ? currentTarget.checked : about.includes(one))))
          }
        />
      ))}
      <p className="tiny dim">Unless a rule or an agent says which channels to use.</p>
    </fieldset>
  );
}
