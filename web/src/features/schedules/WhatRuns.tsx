import { NativeSelect, Textarea } from "@mantine/core";
import type { FieldError } from "@/api/problems";
import { DeceptiveTextWarning } from "@/ui/text/DeceptiveTextWarning";
import type { ScheduleDraft } from "./scheduleWords";
import { WorkflowInput } from "./WorkflowInput";

interface Named {
  slug: string;
  name: string;
}

export interface Choices {
  agents: Named[];
  workflows: (Named & { deployed_version: number | null })[];
}

export interface SchedulePart {
  draft: ScheduleDraft;
  put: (change: Partial<ScheduleDraft>) => void;
}

/** Whose turn it is, and with what. */
export function WhatRuns({ draft, put, agents, workflows, errors }: SchedulePart & Choices & { errors: FieldError[] }) {
  const { kind, slug, task, input } = draft;
  // What one workflow is given says nothing to another.
  const choose = (value: string) =>
    put({
      kind: value.startsWith("agent:") ? "agent" : "workflow",
      slug: value.slice(value.indexOf(":") + 1),
      input: {},
    });
  const version = workflows.find((each) => each.slug === slug)?.deployed_version ?? null;
  const groups = [
    { group: "Agents", items: choices("agent", agents, draft) },
    { group: "Workflows", items: choices("workflow", workflows, draft) },
  ];
  return (
    <>
      <NativeSelect
        label="What runs"
        value={`${kind}:${slug}`}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={groups.filter(({ items }) => items.length > 0)}
      />
      {kind === "agent" ? (
        <Textarea
          label="Task"
          placeholder="What should it do each time?"
          data-autofocus
          autosize
          minRows={2}
          maxRows={10}
          value={task}
          onChange={({ currentTarget }) => put({ task: currentTarget.value })}
        />
      ) : (
        <WorkflowInput
          key={slug}
          slug={slug}
          version={version}
          value={input}
          onChange={(next) => put({ input: next })}
          errors={errors}
        />
      )}
      {kind === "agent" && <DeceptiveTextWarning of={task} />}
    </>
  );
}

/** By name; what is gone is still what the schedule says. */
function choices(kind: ScheduleDraft["kind"], there: Named[], chosen: ScheduleDraft) {
  const known = there.map(({ slug, name }) => ({ value: `${kind}:${slug}`, label: name }));
  const gone = chosen.kind === kind && !there.some(({ slug }) => slug === chosen.slug);
  return gone ? [...known, { value: `${kind}:${chosen.slug}`, label: `${chosen.slug} (gone)` }] : known;
}
