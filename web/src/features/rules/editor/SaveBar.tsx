import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import classes from "../rules.module.css";
import type { Rules, RulesDraft } from "./rulesDraft";
import { SaveConflict } from "./SaveConflict";
import { useSaveRules } from "./useSaveRules";

interface SaveBarProps {
  rules: Rules;
  draft: RulesDraft;
  /** It has mistakes, or nobody knows yet. */
  blocked: boolean;
}

/** Put the draft in force, or drop it. */
export function SaveBar({ rules, draft, blocked }: SaveBarProps) {
  const [note, setNote] = useState("");
  const save = useSaveRules(() => {
    draft.drop();
    setNote("");
  });
  const put = (version: number) => save.mutate({ body: { yaml: draft.text, version, note: note.trim() || null } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    put(draft.version);
  };
  // Somebody saved meanwhile, as the server said or as the page has seen since.
  const behind = draft.changed && draft.version < rules.version;
  return (
    <>
      {behind && (
        <SaveConflict rules={rules} draft={draft} pending={save.isPending} onOver={() => put(rules.version)} />
      )}
      <form className={classes.save} onSubmit={submit}>
        <TextInput
          className="grow"
          aria-label="What this change is for"
          placeholder="What this change is for (optional)"
          maxLength={200}
          value={note}
          disabled={!draft.changed}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Button variant="default" disabled={!draft.changed || save.isPending} onClick={draft.drop}>
          Discard
        </Button>
        <Button type="submit" loading={save.isPending} disabled={!draft.changed || blocked || behind}>
          Save and apply
        </Button>
      </form>
    </>
  );
}
