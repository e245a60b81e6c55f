import { ActionIcon, Button, Checkbox } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "@/ui/icons";
import type { Change } from "../ruleText/changeRule";
import type { Part } from "../ruleText/readRules";
import { many } from "../sentences/wordParts";
import { roundChanges, type Stage, stageParts, stagesOf } from "./actions";
import { CommittedInput, CountField, WordsField } from "./fields";
import classes from "./menus.module.css";

export interface AskFieldsProps {
  action: Part;
  people: string[];
  channels: string[];
  onPut: (key: string, value: unknown) => void;
  onChanges: (changes: Change[]) => void;
}

/** Who signs, how many, and in which order. */
export function SignerFields({ action, people, onPut, onChanges, children }: AskFieldsProps & { children: ReactNode }) {
  const stages = stagesOf(action);
  const approvers = many(action.approvers).map(String);
  return (
    <>
      {stages.length === 0 ? (
        <div className={classes.row}>
          {children}
          <CountField
            label="How many people"
            value={Number(action.require_approval_count ?? 1)}
            max={20}
            onChange={(count) => onPut("require_approval_count", count)}
          />
          <span>
            {action.require_approval_count === undefined || action.require_approval_count === 1 ? "person" : "people"}{" "}
            of
          </span>
          <WordsField
            label="Who can sign"
            placeholder="anyone who can approve"
            value={approvers}
            offered={people}
            onChange={(next) => onPut("approvers", next.length === 0 ? undefined : next)}
          />
        </div>
      ) : (
        <>
          <div className={classes.row}>{children}</div>
          <Stages stages={stages} people={people} onChange={(next) => onPut("stages", stageParts(next))} />
        </>
      )}
      <div className={classes.row}>
        <Checkbox
          label="In rounds, one after the other"
          checked={stages.length > 0}
          onChange={(event) => onChanges(roundChanges(action, event.currentTarget.checked))}
        />
        <Checkbox
          label="Not by anyone who started, steered or edited it (four eyes)"
          checked={action.four_eyes === true}
          onChange={(event) => onPut("four_eyes", event.currentTarget.checked || undefined)}
        />
        <Checkbox
          label="Only in the app, signed in"
          checked={action.require_sign_in === true}
          onChange={(event) => onPut("require_sign_in", event.currentTarget.checked || undefined)}
        />
        <Checkbox
          label="Similar calls of one turn as one ask"
          checked={action.batch_alike === true}
          onChange={(event) => onPut("batch_alike", event.currentTarget.checked || undefined)}
        />
      </div>
    </>
  );
}

interface StagesProps {
  stages: Stage[];
  people: string[];
  onChange: (stages: Stage[]) => void;
}

function Stages({ stages, people, onChange }: StagesProps) {
  const put = (at: number, change: Partial<Stage>) =>
    onChange(stages.map((each, index) => (index === at ? { ...each, ...change } : each)));
  return (
    <>
      {stages.map((stage, at) => {
        const round = `Round ${at + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a round is known by its number
          <div key={at} className={classes.row}>
            <span className={classes.lead}>{at === 0 ? "first" : "then"}</span>
            <CountField
              label={`${round}: how many people`}
              value={stage.count}
              max={20}
              onChange={(count) => put(at, { count })}
            />
            <span>of</span>
            <WordsField
              label={`${round}: who can sign`}
              value={stage.approvers}
              offered={people}
              onChange={(approvers) => put(at, { approvers })}
            />
            <CommittedInput
              aria-label={`${round}: name`}
              placeholder="name"
              w="7rem"
              value={stage.name ?? ""}
              onCommit={(name) => put(at, { name: name.trim() || undefined })}
            />
            {stages.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${round.toLowerCase()}`}
                onClick={() => onChange(stages.filter((_, index) => index !== at))}
              >
                <Icon name="x" />
              </ActionIcon>
            )}
          </div>
        );
      })}
      <Button
        className={classes.add}
        size="compact-sm"
        variant="subtle"
        leftSection={<Icon name="plus" />}
        onClick={() => onChange([...stages, { approvers: ["role:approver"], count: 1 }])}
      >
        Add a round
      </Button>
    </>
  );
}
