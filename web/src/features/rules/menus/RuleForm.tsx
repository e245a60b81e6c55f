import { useEffect, useRef } from "react";
import type { Words } from "../editor/ruleCompletion";
import { type Change, changeRule } from "../ruleText/changeRule";
import { actionOf, type RuleInWords } from "../sentences/ruleSentences";
import { part } from "../sentences/wordParts";
import type { Choice } from "./conditions";
import { CommittedInput } from "./fields";
import classes from "./menus.module.css";
import { ThenFields } from "./ThenFields";
import { WhenFields } from "./WhenFields";

const FOCUS_MS = 150;

interface RuleFormProps {
  text: string;
  rule: RuleInWords;
  /** Just made: its name has the focus. */
  fresh: boolean;
  choices: Choice[];
  words: Words;
  onChange: (text: string) => void;
  onGo: () => void;
}

/** One rule, part by part. Each change is made in the text at once. */
export function RuleForm({ text, rule, fresh, choices, words, onChange, onGo }: RuleFormProps) {
  const block = rule.section === "checkpoints" ? "trigger" : "conditions";
  const change = (changes: Change[]) => onChange(changeRule(text, rule, changes));
  const { name, description } = rule.rule;
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!fresh) return;
    // The menu that made it gives the focus back to its button first.
    const later = setTimeout(() => first.current?.select(), FOCUS_MS);
    return () => clearTimeout(later);
  }, [fresh]);
  const action = actionOf(rule.rule.action);
  return (
    <fieldset className={classes.form} aria-label={`Change ${rule.name}`}>
      <div className={classes.row}>
        <CommittedInput
          ref={first}
          className={classes.grow}
          label="Name"
          maxLength={200}
          value={String(name ?? "")}
          onCommit={(next) => next.trim() && change([{ path: ["name"], value: next.trim() }])}
        />
        <CommittedInput
          className={classes.grow}
          label="Description"
          placeholder="For people (optional)"
          maxLength={300}
          value={String(description ?? "")}
          onCommit={(next) => change([{ path: ["description"], value: next.trim() || undefined }])}
        />
      </div>
      <WhenFields
        trigger={part(rule.rule[block])}
        choices={choices}
        words={words}
        onPut={(key, value) => change([{ path: [block, key], value }])}
        onGo={onGo}
      />
      <ThenFields
        action={rule.section === "checkpoints" ? action : { auto_approve: true, ...action }}
        fixed={rule.section === "auto_approval"}
        people={words.approvers ?? []}
        channels={words.channels ?? []}
        onPut={(key, value) => change([{ path: ["action", key], value }])}
        onChanges={change}
        onGo={onGo}
      />
    </fieldset>
  );
}
