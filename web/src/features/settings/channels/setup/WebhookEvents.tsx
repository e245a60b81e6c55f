import { Checkbox, NativeSelect } from "@mantine/core";
import { useState } from "react";
import classes from "./setup.module.css";

const USUAL = ["ask.created", "ask.updated", "ask.settled", "run.ended", "deliverable.created", "limit.warning"];
const OTHERS = [
  ...["run.created", "run.status", "run.progress", "run.message", "call.started", "call.finished"],
  "run.step",
  "notification.created",
];
const ALL = "*";

type Which = "usual" | "all" | "chosen";

interface WebhookEventsProps {
  label: string;
  /** Names between spaces; none: the usual ones. */
  value: string;
  onChange: (value: string) => void;
  error?: string;
}

/** Which events a webhook gets. */
export function WebhookEvents({ label, value, onChange, error }: WebhookEventsProps) {
  const [which, setWhich] = useState<Which>(value === "" ? "usual" : value === ALL ? "all" : "chosen");
  const chosen = value.split(" ").filter(Boolean);
  const choose = (next: Which) => {
    setWhich(next);
    onChange({ usual: "", all: ALL, chosen: USUAL.join(" ") }[next]);
  };
  return (
    <div className={classes.events}>
      <NativeSelect
        label={label}
        description={which === "usual" ? USUAL.join(", ") : undefined}
        inputWrapperOrder={["label", "input", "description", "error"]}
        error={error}
        value={which}
        onChange={({ currentTarget }) => choose(currentTarget.value as Which)}
        data={[
          { value: "usual", label: "The usual: what needs somebody" },
          { value: "all", label: "All events" },
          { value: "chosen", label: "Only these" },
        ]}
      />
      {which === "chosen" && (
        <fieldset className={classes.checks}>
          <legend>Only these events</legend>
          {[...USUAL, ...OTHERS].map((event) => (
            <Checkbox
              key={event}
              label={<code>{event}</code>}
              checked={chosen.includes(event)}
              // The last one stays: none at all would mean the usual ones.
              disabled={chosen.length === 1 && chosen.includes(event)}
              onChange={({ currentTarget }) =>
                onChange(
                  (currentTarget.checked ? [...chosen, event] : chosen.filter((each) => each !== event)).join(" "),
                )
              }
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}
