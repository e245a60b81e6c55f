import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { needsWords, useMay } from "@/api/roles";
import type { Schedule } from "@/api/types";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { ScheduleRow } from "./ScheduleRow";
import classes from "./schedules.module.css";
import { bySoonest } from "./scheduleWords";
import { useSchedules } from "./useSchedules";

const ScheduleDialog = lazy(() => import("./ScheduleDialog"));

/** What runs by the clock: when next, how the last run went, and more to add. */
export function SchedulesPage() {
  const member = useMay("member");
  const [open, setOpen] = useState<Schedule | "new">();
  const list = useSchedules();
  const schedules = bySoonest(list.data?.items ?? []);
  const add = (
    <Button leftSection={<Icon name="plus" />} onClick={() => setOpen("new")}>
      Add a schedule
    </Button>
  );
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>Schedules</h1>
        {member && schedules.length > 0 && add}
      </header>
      <p className={page.lead}>
        Agents and workflows that run by the clock, each in the name of whoever made the schedule.{" "}
        {!member && needsWords("member", "add schedules")}
      </p>
      {list.isPending && <Loading lines={4} />}
      {list.isError && <Failed what="Couldn't load the schedules" error={list.error} retry={() => list.refetch()} />}
      {list.isSuccess && schedules.length === 0 && (
        <div className="card">
          <Empty icon="clock" title="No schedules yet" action={member && add}>
            Let an agent or a workflow run every morning, every Monday or on the first of the month. What it does is
            judged by your rules, as ever.
          </Empty>
        </div>
      )}
      {schedules.length > 0 && (
        <ul className={`card ${page.list} ${classes.rows}`} aria-label="Schedules">
          {schedules.map((schedule) => (
            <ScheduleRow key={schedule.id} schedule={schedule} onEdit={() => setOpen(schedule)} />
          ))}
        </ul>
      )}
      {open && (
        <Suspense>
          <ScheduleDialog schedule={open === "new" ? undefined : open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </div>
  );
}
