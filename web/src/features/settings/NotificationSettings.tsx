import "@/ui/switch.css";
import { Button, Switch } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { mayNotify, type Preferences, preferencesQuery } from "@/api/preferences";
import { wordsOf } from "@/api/problems";
import { LeaveQuestion } from "@/ui/overlay/LeaveQuestion";
import { said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import { LinkedAccounts } from "./notifications/LinkedAccounts";
import { PersonalChannels } from "./notifications/PersonalChannels";
import { QuietHoursFields } from "./notifications/QuietHoursFields";
import { PushSettings } from "./PushSettings";
import classes from "./settings.module.css";

/** How you want to be told. */
export function NotificationSettings() {
  const query = useQuery(preferencesQuery());
  if (query.isPending) return <Loading lines={4} />;
  if (!query.data)
    return <Failed what="Couldn't load your preferences" error={query.error} retry={() => query.refetch()} />;
  return (
    <div className={classes.parts}>
      <Form before={query.data} />
      <PushSettings />
      <LinkedAccounts />
    </div>
  );
}

function Form({ before }: { before: Preferences }) {
  const queries = useQueryClient();
  const [now, setNow] = useState(before);
  const set = (part: Partial<Preferences>) => setNow((was) => ({ ...was, ...part }));
  const save = api.useMutation("put", "/api/me/preferences", {
    onSuccess: (saved) => {
      queries.setQueryData(preferencesQuery().queryKey, saved);
      setNow(saved);
      said("Saved.");
    },
  });
  const changed = JSON.stringify(now) !== JSON.stringify(before);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ body: now });
  };
  return (
    <form className={classes.parts} onSubmit={submit}>
      <section className={`card ${page.panel}`} aria-label="Notify me via">
        <h2>Notify me via</h2>
        <p className="small">
          In this app: everything for you is under{" "}
          <Link to="/notices" style={{ textDecoration: "underline" }}>
            Notices
          </Link>
          .
        </p>
        <PersonalChannels wanted={now.channels ?? {}} onChange={(channels) => set({ channels })} />
        <BrowserNotifications
          on={now.browser_notifications ?? false}
          onChange={(on) => set({ browser_notifications: on })}
        />
      </section>
      <QuietHoursFields value={now.quiet_hours ?? null} onChange={(quiet_hours) => set({ quiet_hours })} />
      <section className={`card ${page.panel}`} aria-label="How much">
        <h2>How much</h2>
        <Switch
          label="Gather messages when many come at once"
          description="After five within ten minutes, the next ones come together in one. Urgent ones come at once."
          checked={now.digest ?? true}
          onChange={({ currentTarget }) => set({ digest: currentTarget.checked })}
        />
        <Switch
          label="Push how far my runs are"
          description="To the browsers listed under Push below."
          checked={now.progress ?? false}
          onChange={({ currentTarget }) => set({ progress: currentTarget.checked })}
        />
      </section>
      {save.isError && (
        <p role="alert" className={classes.bad}>
          {wordsOf(save.error)}
        </p>
      )}
      <Button type="submit" style={{ alignSelf: "flex-start" }} loading={save.isPending} disabled={!changed}>
        Save
      </Button>
      <LeaveQuestion unsaved={() => changed} />
    </form>
  );
}

/** While the app is open in a tab that is not looked at. */
function BrowserNotifications({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const [denied, setDenied] = useState(false);
  const change = async (wanted: boolean) => {
    const may = !wanted || (await mayNotify());
    setDenied(!may);
    onChange(wanted && may);
  };
  return (
    <Switch
      label="Pop-ups while Signoff is open"
      description="Only while it is open in another tab. To hear of things when it is closed, switch on push below."
      error={denied && "Your browser blocks notifications. Allow them next to the address, then try again."}
      checked={on}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}
