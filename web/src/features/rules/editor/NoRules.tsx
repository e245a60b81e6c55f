import { Button } from "@mantine/core";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { FIRST, FULL } from "./exampleRules";

/** No rules yet: what decides then, and two ways to begin. */
export function NoRules({ onTake }: { onTake: (yaml: string) => void }) {
  return (
    <section className={`card ${page.panel}`} aria-label="How to start">
      <h2>No rules yet</h2>
      <p className="dim">
        Without rules, each agent’s autonomy and the risk of the call decide. A rule can ask for more people, let small
        things pass, or forbid something altogether. Start with an example and change it. Errors show as you type.
      </p>
      <div className="row wrap">
        <Button variant="default" leftSection={<Icon name="users" />} onClick={() => onTake(FIRST)}>
          Unsure messages need two people
        </Button>
        <Button variant="default" leftSection={<Icon name="shield-check" />} onClick={() => onTake(FULL)}>
          Refunds, night mail, small sums
        </Button>
      </div>
    </section>
  );
}
