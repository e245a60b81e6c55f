import { Button, Checkbox } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { mayNotify, type Preferences, preferencesQuery } from "@/api/preferences";
import { wordsOf } from "@/api/problems";
import { said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import classes from "./settings.module.css";

/** How you want to be told. */
export function NotificationSettings() {
  const query = useQuery(preferencesQuery());
  if (query.isPending) return <Loading lines={4} />;
  if (!query.data)
    return <Failed what="Couldn't load your preferences" error={query.error} retry={() => query.refetch()} />;
  return <Form before={query.data} />;
}

function Form({ before }: { before: Preferences }) {
  const queries = useQueryClient();
  const [now, setNow] = useState(before);
  const save = api.useMutation("put", "/api/me/preferences", {
    onSuccess: (saved) => {
      queries.setQueryData(preferencesQuery().queryKey, saved);
      said("Saved.");
    },
  });
  const [denied, setDenied] = useState(false);
  const browser = async (wanted: boolean) => {
    const may = !wanted || (await mayNotify());
    setDenied(!may);
    setNow((was) => ({ ...was, browser_notifications: wanted && may }));
  };
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
        <Checkbox
          label="Browser notifications"
          description="Your browser asks for permission."
          error={denied && "Your browser blocks notifications. Allow them next to the address, then try again."}
          checked={now.browser_notifications ?? false}
          onChange={(event) => browser(event.currentTarget.checked)}
        />
      </section>
      {save.isError && (
        <p role="alert" className={classes.bad}>
          {wordsOf(save.error)}
        </p>
      )}
      <Button
        type="submit"
        style={{ alignSelf: "flex-start" }}
        loading={save.isPending}
        disabled={JSON.stringify(now) === JSON.stringify(before)}
      >
        Save
      </Button>
    </form>
  );
}
