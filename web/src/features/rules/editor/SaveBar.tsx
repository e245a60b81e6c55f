import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { isProblem } from "@/api/problems";
import { keyOf } from "@/api/queryKeys";
import { failed, said, showNotice } from "@/ui/overlay/toast";
import classes from "../rules.module.css";
import { suggestionsKey } from "./ruleSuggestions";
import { type Rules, type RulesDraft, rulesKey } from "./rulesDraft";
import { SaveConflict } from "./SaveConflict";

interface SaveBarProps {
  rules: Rules;
  draft: RulesDraft;
  /** It has mistakes, or nobody knows yet. */
  blocked: boolean;
}

/** Put the draft in force, or drop it. */
export function SaveBar({ rules, draft, blocked }: SaveBarProps) {
  const queries = useQueryClient();
  const [note, setNote] = useState("");
  const save = api.useMutation("put", "/api/rules", {
    onSuccess: (saved) => {
      queries.setQueryData(rulesKey, saved);
      queries.invalidateQueries({ queryKey: keyOf("/api/rules/versions") });
      queries.invalidateQueries({ queryKey: suggestionsKey });
      draft.drop();
      setNote("");
      const [warning, ...more] = saved.warnings;
      if (!warning) return said(`Version ${saved.version} is in use.`);
      const others = more.length > 0 ? ` (and ${more.length} more)` : "";
      showNotice({
        tone: "warn",
        title: `Version ${saved.version} is in use.`,
        message: `Look at line ${warning.line}: ${warning.message}${others}.`,
      });
    },
    onError: (error) => {
      if (isProblem(error, 409)) queries.invalidateQueries({ queryKey: rulesKey });
      else failed(error);
    },
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
