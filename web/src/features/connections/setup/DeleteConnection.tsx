import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/api/client";
import type { Connection } from "@/api/types";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed, said } from "@/ui/overlay/toast";
import { useRereadConnections } from "../connection/useConnections";
import classes from "./setup.module.css";

export function DeleteConnection({ connection }: { connection: Connection }) {
  const { id, name, runs } = connection;
  const navigate = useNavigate();
  const reread = useRereadConnections();
  const [asked, setAsked] = useState(false);
  const remove = api.useMutation("delete", "/api/connections/{connection_id}", {
    onSuccess: async () => {
      said(`${name} is deleted.`);
      await navigate({ to: "/connections", ignoreBlocker: true });
      return reread();
    },
    onError: failed,
  });
  return (
    <>
      <Button variant="subtle" color="red" className={classes.save} onClick={() => setAsked(true)}>
        Delete connection
      </Button>
      {asked && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          action="Delete"
          cancel="Keep it"
          danger
          pending={remove.isPending}
          onConfirm={() => remove.mutate({ params: { path: { connection_id: id } } })}
          onClose={() => setAsked(false)}
        >
          <p>
            Its settings, secrets and reviews are lost.{" "}
            {runs > 0 && `${runs} ${runs === 1 ? "run that may use it" : "runs that may use it"} can't any more. `}
            What was done through it stays on the record.
          </p>
          <p>To stop it for a while, switch it off instead.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
