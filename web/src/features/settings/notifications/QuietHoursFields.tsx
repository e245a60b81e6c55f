import "@/ui/switch.css";
import { NativeSelect, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Preferences } from "@/api/preferences";
import page from "@/ui/page.module.css";
import { timeZones, zoneHere } from "@/ui/time/timeZones";
import classes from "./notifications.module.css";

type QuietHours = NonNullable<Preferences["quiet_hours"]>;

interface QuietHoursFieldsProps {
  value: QuietHours | null;
  onChange: (value: QuietHours | null) => void;
}

/** When somebody wants to be left alone. */
export function QuietHoursFields({ value, onChange }: QuietHoursFieldsProps) {
  // Who switches them off and on again finds them as they were.
  const [last, setLast] = useState<QuietHours>(
    value ?? { start: "20:00", end: "07:00", timezone: zoneHere(), even_urgent: false },
  );
  const change = (part: Partial<QuietHours>) => {
    const next = { ...last, ...part };
    setLast(next);
    onChange(next);
  };
  return (
    <section className={`card ${page.panel}`} aria-label="Quiet hours">
      <Switch
        label="Quiet hours"
        description="Messages wait until they are over, unless an ask would expire before that. Urgent ones don’t wait."
        checked={value !== null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? last : null)}
      />
      {value && (
        <>
          <div className={classes.hours}>
            <TextInput
              type="time"
              label="From"
              required
              withAsterisk={false}
              value={value.start}
              onChange={({ currentTarget }) => change({ start: currentTarget.value })}
            />
            <TextInput
              type="time"
              label="To"
              required
              withAsterisk={false}
              value={value.end}
              onChange={({ currentTarget }) => change({ end: currentTarget.value })}
            />
            <NativeSelect
              label="Time zone"
              className={classes.zone}
              value={value.timezone}
              onChange={({ currentTarget }) => change({ timezone: currentTarget.value })}
              data={timeZones(value.timezone ?? "UTC")}
            />
          </div>
          <Switch
            label="Even what is urgent"
            description="Urgent messages wait, too."
            checked={value.even_urgent ?? false}
            onChange={({ currentTarget }) => change({ even_urgent: currentTarget.checked })}
          />
        </>
      )}
    </section>
  );
}
