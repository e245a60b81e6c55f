import { useState } from "react";
import { Prose } from "@/ui/text/Prose";
import classes from "../ask.module.css";
import { ApproveBar } from "../decision/ApproveBar";
import { type DecideProps, isOpen } from "../decision/decideProps";
import { draftOf, keepDraft } from "../outbox/answerDrafts";
import { PlanStep } from "./PlanStep";
import { type Choice, choiceOf, chosen, edited, planLabel, stepsToSend, toggled } from "./planChoice";

/** Every step before it happens: tick, edit, then approve exactly these. */
export function Plan({ children, ...props }: DecideProps) {
  const { ask } = props;
  const steps = ask.plan?.steps ?? [];
  const [choice, setChoice] = useState(() => choiceOf(steps, draftOf(ask).steps));
  const [editing, setEditing] = useState<string | null>(null);
  const open = isOpen(ask);
  const ran = approvedSteps(ask.answer?.steps);
  const count = chosen(steps, choice).length;
  const choose = (next: Choice) => {
    setChoice(next);
    keepDraft(ask, { decision: "approve", steps: stepsToSend(steps, next) ?? null });
  };
  return (
    <>
      {ask.plan?.summary && ask.plan.summary !== ask.description && <Prose text={ask.plan.summary} />}
      <ol className={classes.plan} aria-label="Steps of the plan">
        {steps.map((step, index) => (
          <PlanStep
            key={step.id}
            number={index + 1}
            step={step}
            level={ask.risk?.level}
            open={open}
            ticked={ran ? ran.has(step.id) : !choice.left.has(step.id)}
            changed={choice.edits.get(step.id) ?? ran?.get(step.id)}
            editing={editing === step.id}
            onTick={() => choose(toggled(choice, step.id))}
            onEditing={(on) => setEditing(on ? step.id : null)}
            onEdited={(values) => {
              choose(edited(choice, step, values));
              setEditing(null);
            }}
          />
        ))}
      </ol>
      {children}
      {open && (
        <ApproveBar
          {...props}
          label={planLabel(steps, choice)}
          disabled={count === 0 || editing !== null}
          answer={{ steps: stepsToSend(steps, choice) }}
          denyWords="The agent reads this and plans again."
        />
      )}
    </>
  );
}

/** The steps of a settled plan that were let through, with other arguments where they were edited. */
function approvedSteps(steps: unknown[] | null | undefined) {
  if (!steps) return null;
  return new Map(
    steps.map((step) => {
      if (typeof step === "string") return [step, undefined] as const;
      const { id, arguments: values, edited: was } = step as Record<string, unknown>;
      return [String(id), was ? (values as Record<string, unknown>) : undefined] as const;
    }),
  );
}
