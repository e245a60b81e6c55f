import { ActionIcon, Button, Checkbox } from "@mantine/core";
import { Suspense, useState } from "react";
import { Icon } from "@/ui/icons";
import { summary } from "@/ui/reading";
import { Loading } from "@/ui/States";
import { Tag } from "@/ui/Tag";
import { Fields } from "@/ui/Values";
import classes from "./ask.module.css";
import { Changes } from "./Changes";
import { changesBetween, ValueEditor } from "./edit";
import { RiskTag } from "./RiskTag";
import type { Step, Values } from "./steps";

interface PlanStepProps {
  number: number;
  step: Step;
  open: boolean;
  ticked: boolean;
  changed: Values | undefined;
  editing: boolean;
  onTick: () => void;
  onEditing: (on: boolean) => void;
  onEdited: (values: Values | null) => void;
}

export function PlanStep({ number, step, open, ticked, changed, editing, ...on }: PlanStepProps) {
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
          <span className={classes.purpose}>{step.purpose || `Use ${step.tool}`}</span>
          {changed && <Tag tone="info">Changed</Tag>}
          {!ticked && <Tag>Left out</Tag>}
          {step.risk && <RiskTag level={step.risk} short />}
          {open && !editing && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
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
        {changed && !editing && <Changes changes={changesBetween(step.arguments, changed)} />}
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
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <div className="stack">
      <Suspense fallback={<Loading lines={2} height={48} />}>
        <ValueEditor
          label={`Arguments of ${step.tool}`}
          schema={step.schema}
          value={values}
          onChange={(next, why) => {
            setDraft(next);
            setProblem(why);
          }}
        />
      </Suspense>
      <p className={classes.problem} aria-live="polite">
        {problem}
      </p>
      <div className={classes.buttons}>
        <Button size="xs" disabled={problem !== null || draft === null} onClick={() => onDone(draft)}>
          Keep this change
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  );
}
