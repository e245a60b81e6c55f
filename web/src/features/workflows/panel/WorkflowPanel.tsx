import { ActionIcon, Button, NativeSelect, Textarea } from "@mantine/core";
import type { Values } from "@/api/types";
import type { WorkflowDefinition } from "@/api/workflows/workflows";
import { Icon } from "@/ui/icons";
import { freeId, putWorkflow } from "../text/stepChanges";
import classes from "../workflows.module.css";
import { CommittedInput } from "./CommittedInput";

interface WorkflowPanelProps {
  definition: WorkflowDefinition;
  /** Never saved: it may still be called anything. */
  isNew: boolean;
  readOnly: boolean;
  onEdit: (change: (text: string) => string) => void;
}

const TYPES = [
  { value: "string", label: "text" },
  { value: "number", label: "number" },
  { value: "boolean", label: "yes or no" },
  { value: "array", label: "list" },
  { value: "object", label: "object" },
];

/** What the workflow says of itself: its names, and what it is given. */
export function WorkflowPanel({ definition, isNew, readOnly, onEdit }: WorkflowPanelProps) {
  const put = (fields: Partial<WorkflowDefinition>) => onEdit((text) => putWorkflow(text, fields));
  const schema = definition.input_schema ?? { type: "object" };
  const properties = (schema.properties ?? {}) as Record<string, Values>;
  const rows = Object.entries(properties);
  const putRows = (next: [string, Values][]) =>
    put({ input_schema: next.length > 0 ? { ...schema, properties: Object.fromEntries(next) } : undefined });
  const field = { disabled: readOnly, size: "xs" } as const;
  return (
    <section className="stack" aria-label="Workflow">
      <CommittedInput
        {...field}
        label="Name"
        value={definition.name}
        onCommit={(name) => name.trim() && put({ name: name.trim() })}
      />
      {isNew && (
        <CommittedInput
          {...field}
          label="Slug"
          description="Its name in addresses and in the API."
          value={definition.slug}
          onCommit={(slug) => slug.trim() && put({ slug: slug.trim() })}
        />
      )}
      <Textarea
        {...field}
        label="Description"
        autosize
        minRows={2}
        maxRows={6}
        value={definition.description ?? ""}
        onChange={(event) => put({ description: event.currentTarget.value || undefined })}
      />
      <fieldset className={classes.mapping} disabled={readOnly}>
        <legend className="label">What it is given</legend>
        {rows.map(([name, of], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row stays the same row while its field is renamed
          <div key={at} className={classes.mapRow}>
            <CommittedInput
              size="xs"
              aria-label={`Input ${at + 1}`}
              value={name}
              onCommit={(to) => to && !(to in properties) && putRows(rows.with(at, [to, of]))}
            />
            <NativeSelect
              size="xs"
              aria-label={`Type of ${name}`}
              data={TYPES}
              value={String(of.type ?? "string")}
              onChange={(event) => putRows(rows.with(at, [name, { ...of, type: event.currentTarget.value }]))}
            />
            <ActionIcon variant="subtle" aria-label={`Remove ${name}`} onClick={() => putRows(rows.toSpliced(at, 1))}>
              <Icon name="x" />
            </ActionIcon>
          </div>
        ))}
        {!readOnly && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<Icon name="plus" />}
            onClick={() => putRows([...rows, [freeId("field", Object.keys(properties), "_"), { type: "string" }]])}
          >
            Add an input
          </Button>
        )}
      </fieldset>
      <p className="tiny dim">
        Choose a step on the canvas to see what it gets and does. Drag agents there to add them.
      </p>
    </section>
  );
}
