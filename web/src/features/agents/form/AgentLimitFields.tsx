import { Checkbox, TextInput } from "@mantine/core";
import { LIMITS, limitProblem, limitWords } from "@/ui/domain/runs/runLimits";
import page from "@/ui/page.module.css";
import classes from "../agents.module.css";
import type { PartProps } from "./AgentForm";
import { definitionOf } from "./agentDefinition";

/** How far one run may go. */
export function AgentLimitFields({ form, set }: PartProps) {
  return (
    <section className={`card ${page.panel}`} aria-label="Limits">
      <h2>Limits of a run</h2>
      <div className={classes.narrow}>
        {LIMITS.map(({ name, label, least, most, step }) => (
          <TextInput
            key={name}
            label={label}
            description={name !== "iterations" ? "0 means no limit." : undefined}
            inputWrapperOrder={["label", "input", "description", "error"]}
            type="number"
            inputMode="decimal"
            min={least}
            max={most}
            step={step}
            value={form[name]}
            error={limitProblem(name, form[name])}
            onChange={(event) => set({ [name]: event.currentTarget.value })}
          />
        ))}
      </div>
      <Checkbox
        label="Also count the time spent waiting for people"
        checked={form.waiting_counts}
        onChange={(event) => set({ waiting_counts: event.currentTarget.checked })}
      />
      <Checkbox
        label="At the credit limit, ask for more instead of ending"
        checked={form.ask_at_limit}
        onChange={(event) => set({ ask_at_limit: event.currentTarget.checked })}
      />
      <p className="small dim">{limitWords(definitionOf(form).limits)}</p>
    </section>
  );
}
