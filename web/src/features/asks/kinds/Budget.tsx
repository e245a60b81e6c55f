import { TextInput } from "@mantine/core";
import { useState } from "react";
import classes from "../ask.module.css";
import { ApproveBar } from "../decision/ApproveBar";
import { type DecideProps, isOpen } from "../decision/decideProps";
import { draftOf, keepDraft } from "../outbox/answerDrafts";
import { budgetToSend, UNITS, type Wanted } from "./budgetAmounts";

/** More credits, hours or steps: what was asked for, or another amount. */
export function Budget({ children, ...props }: DecideProps) {
  const { ask } = props;
  const wanted = (ask.default ?? {}) as Wanted;
  const given = (ask.answer?.value ?? wanted) as Wanted;
  const [amounts, setAmounts] = useState<Wanted>(() => (draftOf(ask).value as Wanted | undefined) ?? wanted);
  const open = isOpen(ask);
  const answer = budgetToSend(wanted, amounts);
  return (
    <>
      <div className={classes.amounts}>
        {UNITS.filter(({ name }) => open || given[name] !== undefined).map(({ name, label, most, whole }) => (
          <TextInput
            key={name}
            label={label}
            description={wanted[name] === undefined ? "not asked for" : `asked for: ${wanted[name]}`}
            type="number"
            min={0}
            max={most}
            step={whole ? 1 : "any"}
            value={(open ? amounts[name] : given[name]) ?? ""}
            disabled={!open}
            error={open && answer.problems[name]}
            onChange={({ currentTarget: { value } }) => {
              const next = { ...amounts, [name]: value === "" ? undefined : Number(value) };
              setAmounts(next);
              keepDraft(ask, { decision: "approve", value: next });
            }}
          />
        ))}
      </div>
      {open && answer.problems.any && <p className={classes.problem}>{answer.problems.any}</p>}
      {children}
      {open && (
        <ApproveBar
          {...props}
          label={answer.changed ? "Approve this amount" : "Approve"}
          disabled={Object.keys(answer.problems).length > 0}
          answer={answer.changed ? { value: answer.value } : undefined}
          denyWords="The run ends when its limit is reached. Everything is kept."
        />
      )}
    </>
  );
}
