import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";

/** What colleagues read beside what one decides, and in invitations. */
export function OwnName({ name }: { name: string }) {
  const queries = useQueryClient();
  const [written, setWritten] = useState(name);
  const rename = api.useMutation("patch", "/api/me", {
    onSuccess: () => {
      said("Saved.");
      const named = [keyOf("/api/me"), keyOf("/api/members")];
      return Promise.all(named.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
    onError: failed,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ body: { name: written.trim() } });
  };
  return (
    <form className={`card ${page.panel}`} aria-label="Your name" onSubmit={submit}>
      <h2>Your name</h2>
      <TextInput
        label="Name"
        description="Your colleagues see it beside what you decide."
        autoComplete="name"
        maxLength={200}
        value={written}
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
      <Button
        type="submit"
        style={{ alignSelf: "flex-start" }}
        loading={rename.isPending}
        disabled={!written.trim() || written.trim() === name}
      >
        Save
      </Button>
    </form>
  );
}
