import { UnstyledButton } from "@mantine/core";
import type { WorkflowDefinition, WorkflowProblem } from "@/api/workflows/workflows";
import { Icon } from "@/ui/icons";
import { useDoerNames } from "../graph/doerNames";
import { needsOf } from "../graph/needs";
import { kindOfStep } from "../graph/stepStates";
import classes from "../workflows.module.css";

interface StepListProps {
  definition: WorkflowDefinition;
  problems: WorkflowProblem[];
  chosen: string | null;
  onChoose: (id: string) => void;
}

/** The steps from top to bottom, for screens on which a canvas is too small to read. */
export function StepList({ definition: { steps }, problems, chosen, onChoose }: StepListProps) {
  const needs = needsOf(steps);
  const doerOf = useDoerNames();
  const names = new Map(steps.map(({ id, name }) => [id, name ?? id]));
  if (steps.length === 0) return <p className="small dim">No steps yet.</p>;
  return (
    <ol className={classes.stepList} aria-label="Steps">
      {steps.map((step, at) => {
        const { icon } = kindOfStep(step);
        const own = problems.filter((each) => each.step === step.id);
        const waits = needs.get(step.id) ?? [];
        return (
          <li key={step.id}>
            <UnstyledButton
              className={classes.step}
              data-chosen={step.id === chosen || undefined}
              data-bad={own.length > 0 || undefined}
              onClick={() => onChoose(step.id)}
            >
              <span className={classes.stepName}>
                <span className={classes.stepIcon}>
                  <Icon name={icon} size={15} />
                </span>
                <strong className="cut">{step.name ?? step.id}</strong>
                <span className="dim num">{at + 1}</span>
              </span>
              <span className="small dim">
                {doerOf(step)}
                {waits.length > 0 && ` · after ${waits.map((id) => names.get(id) ?? id).join(", ")}`}
                {step.checkpoint && " · checkpoint"}
              </span>
              {own.map(({ message }) => (
                <span key={message} className={`small ${classes.nodeProblem}`}>
                  <Icon name="circle-x" size={13} /> <span>{message}</span>
                </span>
              ))}
            </UnstyledButton>
          </li>
        );
      })}
    </ol>
  );
}
