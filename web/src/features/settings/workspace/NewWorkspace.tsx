import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { failed } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";

/** For whoever may: a place of its own, with its own people, agents, rules and record. */
export function NewWorkspace({ goTo }: { goTo: (workspace: string) => void }) {
  const [name, setName] = useState("");
  const make = api.useMutation("post", "/api/workspaces", { onSuccess: ({ id }) => goTo(id), onError: failed });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate({ body: { name: name.trim() } });
  };
  return (
    <form className={`card ${page.panel}`} aria-label="New workspace" onSubmit={submit}>
      <h2>New workspace</h2>
      <p className="small dim">
        It has its own people, agents, rules and audit record; nobody here can see into it. You are its first admin. To
        switch workspaces, use the menu under your name.
      </p>
      <TextInput
        label="Name of the new workspace"
        placeholder="Finance"
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        type="submit"
        variant="default"
        style={{ alignSelf: "flex-start" }}
        loading={make.isPending}
        disabled={!name.trim()}
      >
        Create and open
      </Button>
    </form>
  );
}
