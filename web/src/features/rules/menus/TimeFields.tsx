import { ActionIcon, Button, NativeSelect } from "@mantine/core";
import { Icon } from "@/ui/icons";
import type { Part } from "../ruleText/readRules";
import { many, part } from "../sentences/wordParts";
import { timeoutChanges } from "./actions";
import { DurationField, WordsField } from "./fields";
import classes from "./menus.module.css";
import type { AskFieldsProps } from "./SignerFields";
import { EditInText } from "./WhenFields";

const EFFECTS = [
  { value: "fail", label: "the run fails" },
  { value: "deny", label: "it is denied" },
  { value: "cancel", label: "the run is cancelled" },
  { value: "default", label: "the default answer is used" },
  { value: "approve", label: "it runs, if it can be undone (veto window)" },
  { value: "escalate", label: "everyone in the chain is told, and it keeps waiting" },
];

/** How long it waits, and what happens then and on the way. */
export function TimeFields({ action, people, onPut, onChanges, onGo }: AskFieldsProps & { onGo: () => void }) {
  const wait = action.timeout_seconds;
  const limited = typeof wait === "number";
  return (
    <>
      <div className={classes.row}>
        <NativeSelect
          size="sm"
          aria-label="How long it waits"
          value={limited ? "limit" : "ever"}
          data={[
            { value: "ever", label: "waiting as long as it takes" },
            { value: "limit", label: "answered within" },
          ]}
          onChange={(event) =>
            onChanges(timeoutChanges(action, event.currentTarget.value === "limit" ? 3600 : undefined))
          }
        />
        {limited && (
          <>
            <DurationField label="Within" seconds={wait} onChange={(next) => onPut("timeout_seconds", next)} />
            <span>else</span>
            <NativeSelect
              size="sm"
              aria-label="If nobody answers"
              value={String(action.on_timeout ?? "fail")}
              data={EFFECTS}
              onChange={(event) => onPut("on_timeout", event.currentTarget.value)}
            />
          </>
        )}
      </div>
      {limited && <Reminders action={action} wait={wait} onPut={onPut} />}
      <Escalation action={action} people={people} onPut={onPut} onGo={onGo} />
    </>
  );
}

function Reminders({ action, wait, onPut }: { action: Part; wait: number; onPut: AskFieldsProps["onPut"] }) {
  const moments = many(action.remind_before_seconds).map(Number);
  const put = (next: number[]) => onPut("remind_before_seconds", next.length === 0 ? undefined : next);
  return (
    <div className={classes.row}>
      {moments.map((seconds, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a reminder is known by its number
        <span key={at} className={classes.pair}>
          <span>reminder</span>
          <DurationField
            label={`Reminder ${at + 1}, before the end`}
            seconds={seconds}
            onChange={(next) => put(moments.map((each, index) => (index === at ? next : each)))}
          />
          <span>before</span>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove reminder ${at + 1}`}
            onClick={() => put(moments.filter((_, index) => index !== at))}
          >
            <Icon name="x" />
          </ActionIcon>
        </span>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<Icon name="plus" />}
        onClick={() => put([...moments, Math.max(1, Math.round(wait / 6 / 60) * 60 || Math.floor(wait / 2))])}
      >
        Add a reminder
      </Button>
    </div>
  );
}

type EscalationProps = Pick<AskFieldsProps, "action" | "people" | "onPut"> & { onGo: () => void };

function Escalation({ action, people, onPut, onGo }: EscalationProps) {
  const steps = many(action.escalation).map(part);
  if (steps.some(({ enabled }) => enabled !== undefined)) return <EditInText what="escalation" onGo={onGo} />;
  const put = (next: Part[]) => onPut("escalation", next.length === 0 ? undefined : next.length === 1 ? next[0] : next);
  const last = Number(steps.at(-1)?.after_seconds ?? 0);
  const change = (at: number, made: Part) =>
    put(steps.map((each, index) => (index === at ? { ...each, ...made } : each)));
  return (
    <>
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its number
        <div key={at} className={classes.row}>
          <span className={classes.lead}>after</span>
          <DurationField
            label={`Escalation ${at + 1}, after`}
            seconds={Number(step.after_seconds ?? 0)}
            onChange={(after_seconds) => change(at, { after_seconds })}
          />
          <span>tell</span>
          <WordsField
            label={`Escalation ${at + 1}, whom`}
            value={many(step.escalate_to).map(String)}
            offered={people}
            onChange={(names) => change(at, { escalate_to: names.length === 1 ? names[0] : names })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove escalation ${at + 1}`}
            onClick={() => put(steps.filter((_, index) => index !== at))}
          >
            <Icon name="x" />
          </ActionIcon>
        </div>
      ))}
      <Button
        className={classes.add}
        size="compact-sm"
        variant="subtle"
        leftSection={<Icon name="plus" />}
        onClick={() => put([...steps, { after_seconds: last + 1800, escalate_to: "role:admin" }])}
      >
        Tell someone else after a while
      </Button>
    </>
  );
}
