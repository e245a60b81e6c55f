import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/api/client";
import type { Channel } from "@/api/types";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed, said } from "@/ui/overlay/toast";
import { useRereadChannels } from "../channel/useChannels";
import classes from "./setup.module.css";

export function DeleteChannel({ channel }: { channel: Channel }) {
  const navigate = useNavigate();
  const reread = useRereadChannels();
  const [asked, setAsked] = useState(false);
  const remove = api.useMutation("delete", "/api/channels/{channel_id}", {
    onSuccess: async () => {
      said(`${channel.name} is deleted.`);
      await navigate({ to: "/settings", search: { section: "channels" }, ignoreBlocker: true });
      return reread();
    },
    onError: failed,
  });
  return (
    <>
      <Button variant="subtle" color="red" className={classes.save} onClick={() => setAsked(true)}>
        Delete channel
      </Button>
      {asked && (
        <ConfirmDialog
          title={`Delete ${channel.name}?`}
          action="Delete"
          cancel="Keep it"
          danger
          pending={remove.isPending}
          onConfirm={() => remove.mutate({ params: { path: { channel_id: channel.id } } })}
          onClose={() => setAsked(false)}
        >
          <p>
            Its settings and secrets are lost, and so is the list of what was sent by it. What waits to be sent by it is
            not sent. Rules and agents that name it reach no one there. Decisions made through it stay on the record.
          </p>
          <p>To stop it for a while, switch it off instead.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
