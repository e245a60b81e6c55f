import { Checkbox, Radio, TextInput } from "@mantine/core";
import { QuestionTimeField } from "@/ui/domain/QuestionTimeField";
import page from "@/ui/page.module.css";
import classes from "../agents.module.css";
import type { PartProps } from "./AgentForm";
import type { Form } from "./agentDefinition";

/** How it starts a task, and how long it waits for answers. */
export function BehaviourFields({ form, set }: PartProps) {
  return (
    <section className={`card ${page.panel}`} aria-label="How it starts">
      <h2>How it starts</h2>
      <Radio.Group aria-label="Mode" value={form.mode} onChange={(mode) => set({ mode: mode as Form["mode"] })}>
        <div className={classes.grid}>
          <Radio.Card value="auto" className={classes.autonomy} aria-label="Start working">
            <Radio.Indicator style={{ flex: "none", marginTop: 2 }} />
            <span>
              <strong>Start working</strong>
              <span className="small dim">It works step by step and asks when needed.</span>
            </span>
          </Radio.Card>
          <Radio.Card value="plan" className={classes.autonomy} aria-label="Plan first">
            <Radio.Indicator style={{ flex: "none", marginTop: 2 }} />
            <span>
              <strong>Plan first</strong>
              <span className="small dim">It shows its steps first. Once approved, it does exactly those.</span>
            </span>
          </Radio.Card>
        </div>
      </Radio.Group>
      <Checkbox
        label="Ask about the task before it starts"
        description="It asks about anything unclear first. You can skip this when you start a run."
        checked={form.clarify}
        onChange={(event) => set({ clarify: event.currentTarget.checked })}
      />
      {form.clarify && (
        <TextInput
          label="Maximum rounds of questions"
          type="number"
          min={0}
          max={20}
          w="14rem"
          value={form.exchanges}
          onChange={(event) => set({ exchanges: event.currentTarget.value })}
        />
      )}
      <QuestionTimeField
        label="How long its questions wait"
        otherwise="Same as the workspace"
        value={form.questionTime}
        onChange={(questionTime) => set({ questionTime })}
      />
    </section>
  );
}
