import { Button, Modal, NativeSelect, TextInput } from "@mantine/core";
import { type FormEvent, type RefObject, useMemo, useState } from "react";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import type { Schedule } from "@/api/types";
import { besidesInput, inputErrors } from "@/ui/editor/inputErrors";
import { said } from "@/ui/overlay/toast";
import { useDiscardQuestion } from "@/ui/overlay/useDiscardQuestion";
import { Empty, Failed, Loading } from "@/ui/States";
import { timeZones, zoneHere } from "@/ui/time/timeZones";
import { NextTimes } from "./NextTimes";
import classes from "./schedules.module.css";
import { bodyOf, draftOf, isWhole, PRESETS, presetOf, type ScheduleDraft } from "./scheduleWords";
import { useRereadSchedules } from "./useSchedules";
import { type Choices, type SchedulePart, WhatRuns } from "./WhatRuns";

interface ScheduleDialogProps {
  /** Absent: a new one. */
  schedule?: Schedule;
  onClose: () => void;
}

/** What runs, what it is told, and when; the next times are shown while one types. */
export default function ScheduleDialog({ schedule, onClose }: ScheduleDialogProps) {
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } });
  const usable = agents.data?.items.filter(({ slug, status }) => status !== "deprecated" || slug === schedule?.agent);
  const workflows = api.useQuery("get", "/api/workflows", { params: { query: { limit: 200 } } });
  const deployed = workflows.data?.items.filter(
    ({ slug, deployed_version }) => deployed_version !== null || slug === schedule?.workflow,
  );
  const loaded = usable && deployed;
  const any = loaded && usable.length + deployed.length > 0;
  const discard = useDiscardQuestion(onClose);
  return (
    <Modal
      opened
      {...discard.modal}
      title={schedule ? "Edit the schedule" : "New schedule"}
      size="36rem"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {(agents.isPending || workflows.isPending) && <Loading lines={3} />}
      {agents.isError && <Failed what="Couldn't load the agents" error={agents.error} retry={() => agents.refetch()} />}
      {workflows.isError && (
        <Failed what="Couldn't load the workflows" error={workflows.error} retry={() => workflows.refetch()} />
      )}
      {loaded && !any && (
        <Empty icon="bot" title="There is no agent yet">
          An admin can create one on the Agents page, or add a file to the agents folder.
        </Empty>
      )}
      {any && (
        <ScheduleForm
          schedule={schedule}
          agents={usable}
          workflows={deployed}
          unsaved={discard.unsaved}
          onClose={onClose}
        />
      )}
      {discard.question}
    </Modal>
  );
}

type ScheduleFormProps = ScheduleDialogProps & Choices & { unsaved: RefObject<boolean> };

function ScheduleForm({ schedule, agents, workflows, unsaved, onClose }: ScheduleFormProps) {
  const reread = useRereadSchedules();
  const [begun] = useState(() => {
    const first = draftOf(schedule, agents[0]?.slug ?? "", zoneHere());
    return first.slug ? first : { ...first, kind: "workflow" as const, slug: workflows[0]?.slug ?? "" };
  });
  const [draft, setDraft] = useState(begun);
  unsaved.current = JSON.stringify(draft) !== JSON.stringify(begun);
  const done = async (words: string) => {
    said(words);
    await reread();
    onClose();
  };
  const create = api.useMutation("post", "/api/schedules", { onSuccess: () => done("Schedule added.") });
  const patch = api.useMutation("patch", "/api/schedules/{schedule_id}", { onSuccess: () => done("Saved.") });
  const put = (change: Partial<ScheduleDraft>) => {
    setDraft({ ...draft, ...change });
    create.reset();
    patch.reset();
  };
  const error = create.error ?? patch.error;
  const errors = useMemo(() => inputErrors(error), [error]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = bodyOf(draft);
    if (schedule) patch.mutate({ params: { path: { schedule_id: schedule.id } }, body });
    else create.mutate({ body });
  };
  return (
    <form className={`stack ${classes.form}`} onSubmit={submit}>
      <WhatRuns draft={draft} put={put} agents={agents} workflows={workflows} errors={errors} />
      <TextInput
        label="Name"
        description="Its runs have it as their title. Without one they are named by what they do."
        maxLength={200}
        value={draft.name}
        onChange={({ currentTarget }) => put({ name: currentTarget.value })}
      />
      <When draft={draft} put={put} />
      <NextTimes cron={draft.cron} timezone={draft.timezone} />
      {error != null && (
        <p role="alert" className={classes.error}>
          {wordsOf(besidesInput(error))}
        </p>
      )}
      <div className="row" style={{ justifyContent: "flex-end" }}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={create.isPending || patch.isPending} disabled={!isWhole(draft)}>
          {schedule ? "Save" : "Add the schedule"}
        </Button>
      </div>
    </form>
  );
}

function When({ draft, put }: SchedulePart) {
  return (
    <>
      <NativeSelect
        label="How often"
        value={presetOf(draft.cron)}
        onChange={({ currentTarget }) => currentTarget.value && put({ cron: currentTarget.value })}
        data={[
          ...PRESETS.map(({ cron, label }) => ({ value: cron, label })),
          { value: "", label: "As written below", disabled: true },
        ]}
      />
      <div className={classes.pair}>
        <TextInput
          label="Cron expression"
          description="Minute, hour, day, month, weekday."
          className={classes.cron}
          spellCheck={false}
          autoComplete="off"
          maxLength={200}
          value={draft.cron}
          onChange={({ currentTarget }) => put({ cron: currentTarget.value })}
        />
        <NativeSelect
          label="Time zone"
          description="Daylight saving time is taken into account."
          value={draft.timezone}
          onChange={({ currentTarget }) => put({ timezone: currentTarget.value })}
          data={timeZones(draft.timezone)}
        />
      </div>
    </>
  );
}
