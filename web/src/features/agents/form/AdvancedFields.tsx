import { Textarea, TextInput, UnstyledButton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Loading } from "@/ui/States";
import classes from "../agents.module.css";
import type { PartProps } from "./AgentForm";
import { ADVANCED } from "./agentDefinition";

const TextEditor = lazy(() => import("@/ui/editor/TextEditor"));

type AdvancedFieldsProps = PartProps & { readOnly: boolean };

/** What most agents leave as it is. Open from the start where something in it is wrong. */
export function AdvancedFields(props: AdvancedFieldsProps) {
  const [open, setOpen] = useState(false);
  const wrong = ADVANCED.some((name) => props.problems[name]);
  const shown = open || wrong;
  return (
    <section className={`card ${page.panel}`} aria-label="Advanced">
      <h2>
        <UnstyledButton className={classes.fold} aria-expanded={shown} onClick={() => setOpen(!shown)}>
          <Icon name="chevron-right" size={15} /> Advanced
        </UnstyledButton>
      </h2>
      {shown && <Parts {...props} />}
    </section>
  );
}

function Parts({ form, set, problems, readOnly }: AdvancedFieldsProps) {
  return (
    <>
      <Textarea
        label="Fallback models"
        description="One per line, tried in order if the model doesn't answer."
        placeholder="provider:model"
        autosize
        minRows={1}
        value={form.fallbacks}
        error={problems.fallbacks}
        onChange={(event) => set({ fallbacks: event.currentTarget.value })}
      />
      <div className={classes.narrow}>
        <TextInput
          label="Temperature"
          placeholder="Model default"
          inputMode="decimal"
          value={form.temperature}
          error={problems.temperature}
          onChange={(event) => set({ temperature: event.currentTarget.value })}
        />
        <TextInput
          label="Max tokens per answer"
          inputMode="numeric"
          value={form.max_tokens}
          error={problems.max_tokens}
          onChange={(event) => set({ max_tokens: event.currentTarget.value })}
        />
        <TextInput
          label="Tags"
          placeholder="Separated by commas"
          value={form.tags}
          onChange={(event) => set({ tags: event.currentTarget.value })}
        />
        <TextInput
          label="Position in lists"
          description="Agents with a lower number come first."
          inputMode="numeric"
          value={form.sort_order}
          error={problems.sort_order}
          onChange={(event) => set({ sort_order: event.currentTarget.value })}
        />
      </div>
      <div>
        <div className={classes.label}>Output schema</div>
        <p className="tiny dim">A JSON Schema that every result must match. Leave empty to allow any result.</p>
      </div>
      <Suspense fallback={<Loading lines={1} height={80} />}>
        <TextEditor
          language="json"
          label="Output schema"
          text={form.output}
          names={["type", "properties", "required", "items", "enum", "description"]}
          problem={problems.output ? { message: problems.output } : undefined}
          focused={false}
          readOnly={readOnly}
          onChange={(output) => set({ output })}
        />
      </Suspense>
      {problems.output && <p className={classes.bad}>{problems.output}</p>}
    </>
  );
}
