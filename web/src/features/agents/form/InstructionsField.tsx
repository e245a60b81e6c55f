import { Textarea } from "@mantine/core";
import page from "@/ui/page.module.css";
import type { PartProps } from "./AgentForm";

/** What it is told, and what people may ask of it. */
export function InstructionsField({ form, set }: PartProps) {
  return (
    <section className={`card ${page.panel}`} aria-label="What it is told">
      <h2>Instructions</h2>
      <Textarea
        label="Instructions"
        description="The agent reads this before every task."
        autosize
        minRows={4}
        maxRows={24}
        value={form.instructions}
        onChange={(event) => set({ instructions: event.currentTarget.value })}
      />
      <Textarea
        label="Example tasks"
        description="One per line. Offered when someone starts a run."
        autosize
        minRows={2}
        maxRows={10}
        value={form.examples}
        onChange={(event) => set({ examples: event.currentTarget.value })}
      />
    </section>
  );
}
