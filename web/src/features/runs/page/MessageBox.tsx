import { ActionIcon, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import type { Run } from "@/api/types";
import { Icon } from "@/ui/icons";
import { failed } from "@/ui/overlay/toast";
import classes from "../run.module.css";
import { isSendKey } from "./isSendKey";

/** Say something while it works; the agent sees it at its next step. */
export function MessageBox({ run }: { run: Run }) {
  const [text, setText] = useState("");
  const send = api.useMutation("post", "/api/runs/{run_id}/messages", {
    onSuccess: () => setText(""),
    onError: failed,
  });
  const ready = text.trim() !== "" && !send.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) send.mutate({ params: { path: { run_id: run.id } }, body: { text: text.trim() } });
  };
  return (
    <form className={classes.box} onSubmit={submit}>
      <Textarea
        className="grow"
        aria-label="Message to the agent"
        placeholder="Message the agent. It reads this before its next step."
        autosize
        minRows={1}
        maxRows={8}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => isSendKey(event) && submit(event)}
      />
      <ActionIcon type="submit" size="lg" aria-label="Send message" loading={send.isPending} disabled={!ready}>
        <Icon name="send" />
      </ActionIcon>
    </form>
  );
}
