import { ActionIcon, Button, NativeSelect } from "@mantine/core";
import { Icon } from "@/ui/icons";
import type { Words } from "../editor/ruleCompletion";
import type { Part } from "../ruleText/readRules";
import { ConditionValue } from "./ConditionRow";
import { addedCondition, type Choice, choiceFor, conditionsOf, isTaken, withCondition } from "./conditions";
import classes from "./menus.module.css";

interface WhenFieldsProps {
  trigger: Part;
  choices: Choice[];
  words: Words;
  onPut: (key: string, value: unknown) => void;
  onGo: () => void;
}

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** When a rule speaks: every condition in a row of its own; all of them must hold. */
export function WhenFields({ trigger, choices, words, onPut, onGo }: WhenFieldsProps) {
  const conditions = conditionsOf(trigger, choices);
  return (
    <fieldset className={classes.fields}>
      <legend>When</legend>
      {conditions.length === 0 && <p className="small dim">No conditions: applies to every call.</p>}
      {conditions.map((condition, at) => {
        const choice = choiceFor(choices, condition.key);
        const label = choice?.label ?? condition.key;
        return (
          <div key={`${condition.key}:${condition.index}`} className={classes.row}>
            <span className={classes.lead}>
              {at > 0 && "and "}
              {condition.kind !== "field" && (at > 0 ? label.charAt(0).toLowerCase() + label.slice(1) : label)}
            </span>
            {choice && condition.kind !== "text" ? (
              <ConditionValue
                condition={condition}
                choice={choice}
                offered={choice.options ?? words[condition.key] ?? []}
                onChange={(value) => onPut(condition.key, withCondition(trigger, condition, value))}
              />
            ) : (
              <EditInText what={condition.key} onGo={onGo} />
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove the condition ${label}`}
              onClick={() => onPut(condition.key, withCondition(trigger, condition, undefined))}
            >
              <Icon name="x" />
            </ActionIcon>
          </div>
        );
      })}
      <NativeSelect
        className={classes.add}
        size="sm"
        aria-label="Add a condition"
        value=""
        data={[
          { value: "", label: conditions.length > 0 ? "and…" : "Add a condition…" },
          ...choices.filter((each) => !isTaken(trigger, each)).map(({ key, label }) => ({ value: key, label })),
        ]}
        onChange={(event) => {
          const choice = choiceFor(choices, event.currentTarget.value);
          if (choice) onPut(choice.key, addedCondition(trigger, choice, words, HERE));
        }}
      />
    </fieldset>
  );
}

/** What menus cannot say. */
export function EditInText({ what, onGo }: { what: string; onGo: () => void }) {
  return (
    <span className="small">
      <code>{what}</code>{" "}
      <Button size="compact-xs" variant="subtle" onClick={onGo}>
        Edit in the text
      </Button>
    </span>
  );
}
