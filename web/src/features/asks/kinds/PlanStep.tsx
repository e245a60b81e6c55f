import { ActionIcon, Button, Checkbox } from "@mantine/core";
import { Suspense, useState } from "react";
import type { FieldError } from "@/api/problems";
import type { Values } from "@/api/types";
import { RiskTag } from "@/ui/domain/RiskTag";
import { Icon } from "@/ui/icons";
import { Loading } from "@/ui/States";
import { Tag } from "@/ui/Tag";
import { Fields } from "@/ui/values/Values";
import { summary } from "@/ui/values/valueFormat";
import { changesBetween } from "../arguments/argumentChanges";
import { ChangeList } from "../arguments/ChangeList";
import { problemsIn, ValueEditor } from "../arguments/editedArguments";
import { FieldErrors } from "../arguments/FieldErrors";
import classes from "../ask.module.css";
import type { Step } from "./planChoice";

interface PlanStepProps {
  number: number;
  step: Step;
  /** The whole plan's risk: only what differs from it is said. */
  level: string | undefined;
  open: boolean;
  ticked: boolean;
  changed: Values | undefined;
  editing: boolean;
  onTick: () => void;
  onEditing: (on: boolean) => void;
  onEdited: (values: Values | null) => void;
}

export function PlanStep({ number, step, level, open, ticked, changed, editing, ...on }: PlanStepProps) {
  const values = changed ?? step.arguments;
  return (
    <li className={classes.step} data-left={!ticked || undefined}>
      <Checkbox
        checked={ticked}
        disabled={!open}
        aria-label={`Step ${number}: ${step.purpose || step.tool}`}
        onChange={on.onTick}
      />
      <div className="grow stack" style={{ gap: "0.35rem" }}>
        <div className="row wrap">
          <span className={classes.purpose}>
            <span className="num dim">{number}.</span> {step.purpose || `Use ${step.tool}`}
          </span>
          {changed && <Tag tone="info">Changed</Tag>}
          {!ticked && <Tag>Left out</Tag>}
          {step.risk && step.risk !== level && <RiskTag level={step.risk} short />}
          {open && !editing && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              className={classes.pencil}
              aria-label={`Edit step ${number}`}
              onClick={() => on.onEditing(true)}
            >
              <Icon name="pencil" size={14} />
            </ActionIcon>
          )}
        </div>
        {editing ? (
          <StepEditor step={step} values={values} onDone={on.onEdited} onBack={() => on.onEditing(false)} />
        ) : (
          <details>
            <summary>
              <code>{step.tool}</code> <span className="dim">{summary(values)}</span>
            </summary>
            <Fields values={Object.entries(values)} />
          </details>
        )}
        {changed && !editing && <ChangeList changes={changesBetween(step.arguments, changed)} />}
      </div>
    </li>
  );
}

interface StepEditorProps {
  step: Step;
  values: Values;
  onDone: (values: Values | null) => void;
  onBack: () => void;
}

function StepEditor({ step, values, onDone, onBack }: StepEditorProps) {
  const [draft, setDraft] = useState<Values | null>(values);
  const [errors, setErrors] = useState<FieldError[]>([]);
  const done = async () => {
    if (!draft) return;
    const wrong = await problemsIn(step.schema, draft);
    setErrors(wrong);
    if (wrong.length === 0) onDone(draft);
  };
  return (
    <div className="stack">
      <Suspense fallback={<Loading lines={2} height={48} />}>
        <ValueEditor
          label={`Arguments of ${step.tool}`}
          schema={step.schema}
          value={values}
          onChange={(next, problem) => {
            setDraft(next);
            setErrors(problem ? [{ path: "", message: problem }] : []);
          }}
        />
      </Suspense>
      <FieldErrors errors={errors} />
      <div className={classes.buttons}>
        <Button size="xs" disabled={draft === null} onClick={done}>
          Keep this change
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  );
}
