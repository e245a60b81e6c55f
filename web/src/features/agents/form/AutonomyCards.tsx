import { Radio } from "@mantine/core";
import { AUTONOMY } from "@/ui/domain/autonomy";
import page from "@/ui/page.module.css";
import { Tag } from "@/ui/Tag";
import classes from "../agents.module.css";
import type { PartProps } from "./AgentForm";
import type { Form } from "./agentDefinition";

const LONG: Record<Form["autonomy"], string> = {
  approve_high_risk: "Reads, searches and drafts on its own. Asks before it writes, sends, pays or deletes.",
  full: "Never asks. Only rules can stop it. For agents that can't do harm.",
  approve_milestones: "Works on its own and stops for a review after each phase.",
  approve_all: "Asks before every single action. For new agents.",
};

const ORDER: Form["autonomy"][] = ["approve_high_risk", "approve_milestones", "approve_all", "full"];

/** When it stops and asks. */
export function AutonomyCards({ form, set }: PartProps) {
  return (
    <section className={`card ${page.panel}`} aria-label="When it asks">
      <h2>When it asks</h2>
      <Radio.Group
        aria-label="Autonomy"
        value={form.autonomy}
        onChange={(autonomy) => set({ autonomy: autonomy as Form["autonomy"] })}
      >
        <div className={classes.grid}>
          {ORDER.map((value) => (
            <Radio.Card key={value} value={value} className={classes.autonomy} aria-label={AUTONOMY[value].label}>
              <Radio.Indicator style={{ flex: "none", marginTop: 2 }} />
              <span>
                <span className="row">
                  <strong>{AUTONOMY[value].label}</strong>
                  {value === "approve_high_risk" && (
                    <Tag tone="good" plain>
                      Recommended
                    </Tag>
                  )}
                </span>
                <span className="small dim">{LONG[value]}</span>
              </span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
    </section>
  );
}
