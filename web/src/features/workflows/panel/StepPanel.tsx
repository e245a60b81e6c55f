import { Button, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import type { WorkflowDefinition, WorkflowStep } from "@/api/workflows/workflows";
import { matchFields } from "../graph/matchFields";
import { fieldsFor } from "../graph/sourcePaths";
import { kindOfStep, type StepKind } from "../graph/stepStates";
import { renameStep } from "../text/renameStep";
import { addStep, putStep, removeStep } from "../text/stepChanges";
import { CommittedInput } from "./CommittedInput";
import { ConnectMenu } from "./ConnectMenu";
import { MappingRows } from "./MappingRows";
import type { Offers } from "./useOffers";

interface StepPanelProps {
  definition: WorkflowDefinition;
  step: WorkflowStep;
  offers: Offers;
  readOnly: boolean;
  onEdit: (change: (text: string) => string) => void;
  onChoose: (id: string | null) => void;
  onConnect: (from: string, to: string) => void;
}

const KINDS = [
  { value: "agent", label: "Agent" },
  { value: "workflow", label: "Workflow" },
  { value: "tool", label: "Tool" },
];
const CHECKPOINTS = [
  { value: "", label: "None" },
  { value: "before", label: "Before it starts" },
  { value: "after", label: "After it is done" },
];

/** All that one step says. */
export function StepPanel({ definition, step, offers, readOnly, onEdit, onChoose, onConnect }: StepPanelProps) {
  const put = (fields: Partial<WorkflowStep>) => onEdit((text) => putStep(text, step.id, fields));
  const { kind } = kindOfStep(step);
  const runs = step[kind] ?? "";
  const known = offers[kind];
  const each = typeof step.each === "object" ? step.each : step.each ? { path: step.each } : null;
  const checkpoint = typeof step.checkpoint === "object" ? String(step.checkpoint.when) : (step.checkpoint ?? "");
  const field = { disabled: readOnly, size: "xs" } as const;
  const rename = (to: string) => {
    onEdit((text) => renameStep(text, step.id, to));
    if (!definition.steps.some(({ id }) => id === to)) onChoose(to);
  };
  return (
    <section className="stack" aria-label={`Step ${step.name ?? step.id}`}>
      <TextInput
        {...field}
        label="Name"
        placeholder={step.id}
        value={step.name ?? ""}
        onChange={(event) => put({ name: event.currentTarget.value || undefined })}
      />
      <CommittedInput {...field} label="Id" value={step.id} onCommit={(to) => to && rename(to)} />
      <div className="row" style={{ alignItems: "end" }}>
        <NativeSelect
          {...field}
          label="Runs"
          data={KINDS}
          value={kind}
          onChange={(event) => {
            const next = event.currentTarget.value as StepKind;
            put({ agent: undefined, workflow: undefined, tool: undefined, [next]: offers[next][0]?.value ?? "" });
          }}
        />
        <NativeSelect
          {...field}
          className="grow"
          aria-label={`Which ${kind}`}
          data={known.some(({ value }) => value === runs) ? known : [{ value: runs, label: runs }, ...known]}
          value={runs}
          onChange={(event) => put({ [kind]: event.currentTarget.value })}
        />
      </div>
      {kind === "agent" && (
        <Textarea
          {...field}
          label="Task"
          autosize
          minRows={2}
          maxRows={8}
          value={step.task ?? ""}
          onChange={(event) => put({ task: event.currentTarget.value || undefined })}
        />
      )}
      <ConnectMenu {...{ definition, step, readOnly, onEdit, onConnect }} />
      <MappingRows
        key={step.id}
        input={step.input ?? {}}
        fields={fieldsFor(definition, step.id, offers.schemas)}
        matches={matchFields(definition, step.id, offers.wantedBy(step), offers.schemas)}
        readOnly={readOnly}
        onChange={(input) => put({ input })}
      />
      <TextInput
        {...field}
        label="Only when"
        placeholder="steps.first.amount > 100"
        value={step.when ?? ""}
        onChange={(event) => put({ when: event.currentTarget.value || undefined })}
      />
      <TextInput
        {...field}
        label="Once for each item of"
        placeholder="steps.first.items"
        value={each?.path ?? ""}
        onChange={({ currentTarget: { value } }) =>
          put({ each: !value ? undefined : typeof step.each === "object" ? { ...step.each, path: value } : value })
        }
      />
      <NativeSelect
        {...field}
        label="Checkpoint"
        data={CHECKPOINTS}
        value={checkpoint}
        onChange={({ currentTarget: { value } }) =>
          put({
            checkpoint: !value
              ? undefined
              : typeof step.checkpoint === "object"
                ? { ...step.checkpoint, when: value }
                : (value as "before" | "after"),
          })
        }
      />
      <div className="row">
        <NumberInput
          {...field}
          label="Retries"
          min={0}
          max={10}
          value={step.retries ?? 0}
          onChange={(value) => put({ retries: Number(value) || undefined })}
        />
        <NumberInput
          {...field}
          label="Timeout in seconds"
          min={1}
          max={86_400}
          value={step.timeout_seconds ?? 300}
          onChange={(value) => put({ timeout_seconds: Number(value) || undefined })}
        />
      </div>
      {!readOnly && (
        <div className="row">
          <Button size="xs" variant="default" onClick={() => onEdit((text) => addStep(text, step).text)}>
            Duplicate
          </Button>
          <Button size="xs" variant="default" color="red" onClick={() => onEdit((text) => removeStep(text, step.id))}>
            Delete
          </Button>
        </div>
      )}
    </section>
  );
}
