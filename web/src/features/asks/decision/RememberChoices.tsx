import { Radio } from "@mantine/core";
import { useMe } from "@/api/me";
import type { Answer, Ask } from "@/api/types";
import classes from "../ask.module.css";

export type Remembered = NonNullable<Answer["remember"]>;

interface RememberChoicesProps {
  ask: Ask;
  value: Remembered | null;
  onChange: (value: Remembered | null) => void;
}

/** What else an approval should allow, each in a sentence that says so. */
export function RememberChoices({ ask, value, onChange }: RememberChoicesProps) {
  const { role } = useMe();
  const choices = choicesFor(ask, role === "admin");
  return (
    <Radio.Group
      aria-label="Don't ask again"
      value={value ?? "once"}
      onChange={(next) => onChange(next === "once" ? null : (next as Remembered))}
    >
      <div className={classes.remember}>
        {[
          { value: "once", label: "Just this once", description: "The next call like this asks again." },
          ...choices,
        ].map(({ value: each, label, description }) => (
          <Radio key={each} size="xs" value={each} label={label} description={description} />
        ))}
      </div>
    </Radio.Group>
  );
}

/** An allowance may not lift what a rule wants a person for; proposing another rule is always possible. */
export function choicesFor(ask: Ask, admin: boolean): { value: Remembered; label: string; description: string }[] {
  const tool = ask.tool ?? "it";
  const upTo = ask.risk ? ` up to ${ask.risk.level} risk` : "";
  const run = {
    value: "run" as const,
    label: "Allow for this run",
    description: `${ask.agent_name} may use ${tool}${upTo} without asking, until this run ends.`,
  };
  const agent = {
    value: "agent" as const,
    label: "Always allow",
    description: `Every run of ${ask.agent_name} may use ${tool}${upTo} without asking. Undo it under Rules.`,
  };
  const rule = {
    value: "rule" as const,
    label: "Suggest a rule",
    description: "Nothing changes yet. An admin decides under Rules.",
  };
  if (ask.rule) return [rule];
  return [...(ask.run_id ? [run] : []), ...(admin ? [agent] : []), rule];
}
