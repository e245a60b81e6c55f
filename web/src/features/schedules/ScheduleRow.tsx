import "@/ui/switch.css";
import { ActionIcon, Button, Switch } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAgentNames } from "@/api/agentNames";
import { api } from "@/api/client";
import { useMemberNames } from "@/api/memberNames";
import { useMay } from "@/api/roles";
import type { Schedule } from "@/api/types";
import { useWorkflowNames } from "@/api/workflows/workflowNames";
import { STATUSES } from "@/ui/domain/runs/runStatus";
import { Icon } from "@/ui/icons";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed, said } from "@/ui/overlay/toast";
import { Tag } from "@/ui/Tag";
import { Ago, useServerNow } from "@/ui/time/clock";
import classes from "./schedules.module.css";
import { inZone, targetOf, untilWords } from "./scheduleWords";
import { useRereadSchedules } from "./useSchedules";

interface ScheduleRowProps {
  schedule: Schedule;
  onEdit: () => void;
}

/** One schedule: what it runs, when, when next, how it went, and the switch. */
export function ScheduleRow({ schedule, onEdit }: ScheduleRowProps) {
  const { task, in_words, timezone, created_by, mine } = schedule;
  const admin = useMay("admin");
  const member = useMay("member");
  const agentNamed = useAgentNames();
  const named = useMemberNames();
  const runs = targetOf(schedule, agentNamed, useWorkflowNames());
  const name = schedule.name ?? runs;
  return (
    <li className={classes.row} aria-label={name}>
      <span className={classes.icon}>
        <Icon name="clock" />
      </span>
      <div className={classes.what}>
        <p>
          <b>{name}</b> {runs !== name && <span className="small dim">{runs}</span>}
        </p>
        {!schedule.name && task && <p className={`small ${classes.task}`}>{task}</p>}
        <p className="small dim">
          {in_words}, {timezone} · {named(created_by)}
        </p>
        <NextTime schedule={schedule} />
        <LastTime schedule={schedule} />
      </div>
      {(admin || (mine && member)) && <Actions schedule={schedule} name={name} onEdit={onEdit} />}
    </li>
  );
}

function NextTime({ schedule: { enabled, disabled_reason, next_at, timezone } }: { schedule: Schedule }) {
  const now = useServerNow();
  if (!enabled || !next_at)
    return <p className="small">{disabled_reason ? <Bad>Switched off. {disabled_reason}</Bad> : "Paused"}</p>;
  return (
    <p className="small">
      Next{" "}
      <time className="num" dateTime={next_at}>
        {untilWords(next_at, now)}
      </time>
      <span className="dim">: {inZone(next_at, timezone)}</span>
    </p>
  );
}

function LastTime({ schedule }: { schedule: Schedule }) {
  const { last_at, last_run_id, last_run_status, last_error, disabled_reason } = schedule;
  const status = last_run_status && STATUSES[last_run_status];
  return (
    <>
      {last_error && !disabled_reason && (
        <p className="small">
          <Bad>Could not start: {last_error}</Bad>
        </p>
      )}
      {last_run_id && last_at && (
        <p className="small">
          <Link to="/runs/$runId" params={{ runId: last_run_id }}>
            Last run
          </Link>{" "}
          <span className="dim">
            <Ago at={last_at} />
          </span>{" "}
          {status && (
            <Tag tone={status.tone} live={status.live}>
              {status.label}
            </Tag>
          )}
        </p>
      )}
    </>
  );
}

const Bad = ({ children }: { children: React.ReactNode }) => <span className={classes.error}>{children}</span>;

function Actions({ schedule: { id, enabled }, name, onEdit }: ScheduleRowProps & { name: string }) {
  const [asks, setAsks] = useState(false);
  const reread = useRereadSchedules();
  const path = { params: { path: { schedule_id: id } } };
  const change = api.useMutation("patch", "/api/schedules/{schedule_id}", { onSuccess: reread, onError: failed });
  const start = api.useMutation("post", "/api/schedules/{schedule_id}/run-now", {
    onSuccess: ({ title }) => {
      said(`Started ${title}.`);
      return reread();
    },
    onError: failed,
  });
  const remove = api.useMutation("delete", "/api/schedules/{schedule_id}", { onSuccess: reread, onError: failed });
  // The switch follows at once; what was refused goes back with the toast.
  const on = change.isPending ? (change.variables.body.enabled ?? enabled) : enabled;
  return (
    <div className={classes.actions}>
      <div className={classes.buttons}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Run now: ${name}`}
          loading={start.isPending}
          onClick={() => start.mutate(path)}
        >
          Run now
        </Button>
        <ActionIcon variant="subtle" color="gray" aria-label={`Edit ${name}`} onClick={onEdit}>
          <Icon name="pencil" />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${name}`} onClick={() => setAsks(true)}>
          <Icon name="trash-2" />
        </ActionIcon>
      </div>
      <Switch
        className={classes.switch}
        aria-label={`${name} is on`}
        checked={on}
        onChange={({ currentTarget }) => change.mutate({ ...path, body: { enabled: currentTarget.checked } })}
      />
      {asks && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          action="Delete"
          danger
          pending={remove.isPending}
          onConfirm={() => remove.mutate(path, { onSuccess: () => setAsks(false) })}
          onClose={() => setAsks(false)}
        >
          Nothing more starts by it. Its runs stay.
        </ConfirmDialog>
      )}
    </div>
  );
}
