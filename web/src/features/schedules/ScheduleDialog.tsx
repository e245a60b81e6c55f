import { Button, Modal, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import type { Agent, Schedule } from "@/api/types";
import { said } from "@/ui/overlay/toast";
import { Empty, Failed, Loading } from "@/ui/States";
import { DeceptiveTextWarning } from "@/ui/text/DeceptiveTextWarning";
import { timeZones, zoneHere } from "@/ui/time/timeZones";
import { NextTimes } from "./NextTimes";
import classes from "./schedules.module.css";
import { bodyOf, draftOf, PRESETS, presetOf, type ScheduleDraft } from "./scheduleWords";
import { useRereadSchedules } from "./useSchedules";

interface ScheduleDialogProps {
  /** Absent: a new one. */
  schedule?: Schedule;
  onClose: () => void;
}

/** What runs, what it is told, and when; the next times are shown while one types. */
export default function ScheduleDialog({ schedule, onClose }: ScheduleDialogProps) {
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } });
  const usable = agents.data?.items.filter(({ slug, status }) => status !== "deprecated" || slug === schedule?.agent);
  return (
    <Modal
      opened
      onClose={onClose}
      title={schedule ? "Edit the schedule" : "New schedule"}
      size="36rem"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {agents.isPending && <Loading lines={3} />}
      {agents.isError && <Failed what="Couldn't load the agents" error={agents.error} retry={() => agents.refetch()} />}
      {usable && usable.length === 0 && (
        <Empty icon="bot" title="There is no agent yet">
          An admin can create one on the Agents page, or add a file to the agents folder.
        </Empty>
      )}
      {usable && usable.length > 0 && <ScheduleForm schedule={schedule} agents={usable} onClose={onClose} />}
    </Modal>
  );
}

function ScheduleForm({ schedule, agents, onClose }: ScheduleDialogProps & { agents: Agent[] }) {
  const reread = useRereadSchedules();
  const [draft, setDraft] = useState(() => draftOf(schedule, agents[0]?.slug ?? "", zoneHere()));
  const put = (change: Partial<ScheduleDraft>) => setDraft({ ...draft, ...change });
  const done = async (words: string) => {
    said(words);
    await reread();
    onClose();
  };
  const create = api.useMutation("post", "/api/schedules", { onSuccess: () => done("Schedule added.") });
  const change = api.useMutation("patch", "/api/schedules/{schedule_id}", { onSuccess: () => done("Saved.") });
  const error = create.error ?? change.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = bodyOf(draft);
    if (schedule) change.mutate({ params: { path: { schedule_id: schedule.id } }, body });
    else create.mutate({ body });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <NativeSelect
        label="Agent"
        value={draft.agent}
        onChange={({ currentTarget }) => put({ agent: currentTarget.value })}
        data={choices(agents, draft.agent)}
      />
      <Textarea
        label="Task"
        placeholder="What should it do each time?"
        data-autofocus
        autosize
        minRows={2}
        maxRows={10}
        value={draft.task}
        onChange={({ currentTarget }) => put({ task: currentTarget.value })}
      />
      <DeceptiveTextWarning of={draft.task} />
      <TextInput
        label="Name"
        description="Its runs have it as their title. Without one they are named by the task."
        maxLength={200}
        value={draft.name}
        onChange={({ currentTarget }) => put({ name: currentTarget.value })}
      />
      <When draft={draft} put={put} />
      <NextTimes cron={draft.cron} timezone={draft.timezone} />
      {error != null && (
        <p role="alert" className={classes.error}>
          {wordsOf(error)}
        </p>
      )}
      <div className="row" style={{ justifyContent: "flex-end" }}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={create.isPending || change.isPending}
          disabled={!draft.task.trim() || !draft.cron.trim()}
        >
          {schedule ? "Save" : "Add the schedule"}
        </Button>
      </div>
    </form>
  );
}

function When({ draft, put }: { draft: ScheduleDraft; put: (change: Partial<ScheduleDraft>) => void }) {
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
          description="Minute, hour, day of month, month, day of week."
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

/** The agents by name; one that is gone is still what the schedule says. */
function choices(agents: Agent[], chosen: string) {
  const known = agents.map(({ slug, name }) => ({ value: slug, label: name }));
  return known.some(({ value }) => value === chosen) ? known : [...known, { value: chosen, label: `${chosen} (gone)` }];
}
