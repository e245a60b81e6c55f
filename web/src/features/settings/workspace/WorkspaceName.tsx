import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import { needsWords, useMay } from "@/api/roles";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";

/** What everybody sees in the menu, and in invitations. */
export function WorkspaceName({ name }: { name: string }) {
  const admin = useMay("admin");
  const queries = useQueryClient();
  const [written, setWritten] = useState(name);
  const rename = api.useMutation("patch", "/api/settings", {
    onSuccess: () => {
      said("Saved.");
      const named = [keyOf("/api/settings"), keyOf("/api/me"), keyOf("/api/workspaces")];
      return Promise.all(named.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
    onError: failed,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ body: { name: written.trim() } });
  };
  return (
    <form className={`card ${page.panel}`} aria-label="Name" onSubmit={submit}>
      <h2>Name</h2>
      <TextInput
        label="Name of the workspace"
        value={written}
        disabled={!admin}
        maxLength={200}
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
      {admin ? (
        <Button
          type="submit"
          style={{ alignSelf: "flex-start" }}
          loading={rename.isPending}
          disabled={!written.trim() || written.trim() === name}
        >
          Rename
        </Button>
      ) : (
        <p className="small dim">{needsWords("admin", "change this")}</p>
      )}
    </form>
  );
}
