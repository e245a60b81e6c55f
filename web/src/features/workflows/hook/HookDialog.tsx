import { Button, Modal } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import type { Workflow } from "@/api/workflows/workflows";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed, said } from "@/ui/overlay/toast";
import { Failed, Loading } from "@/ui/States";
import { Ago } from "@/ui/time/clock";
import { CopyLine } from "./CopyLine";
import { curlExample } from "./curlExample";
import classes from "./hook.module.css";

interface HookDialogProps {
  workflow: Workflow;
  onClose: () => void;
}

/** The webhook by which other services start a workflow: on, renewed, off. Its secret is shown once. */
export default function HookDialog({ workflow: { slug, deployed_version }, onClose }: HookDialogProps) {
  const path = { params: { path: { slug } } };
  const query = useQueryClient();
  const hook = api.useQuery("get", "/api/workflows/{slug}/hook", path);
  const refresh = () => query.invalidateQueries({ queryKey: ["get", "/api/workflows/{slug}/hook", path] });
  const [asked, setAsked] = useState<"renew" | "off" | null>(null);
  const settled = { onSuccess: refresh, onError: failed, onSettled: () => setAsked(null) };
  const turnOn = api.useMutation("post", "/api/workflows/{slug}/hook", settled);
  const turnOff = api.useMutation("delete", "/api/workflows/{slug}/hook", {
    ...settled,
    onSuccess: () => {
      turnOn.reset();
      said("The webhook is off.");
      return refresh();
    },
  });
  const make = () => turnOn.mutate({ ...path, body: {} });
  const secret = turnOn.data?.secret;
  return (
    <Modal opened onClose={onClose} title="Webhook" size="44rem" closeButtonProps={{ "aria-label": "Close" }}>
      {hook.isPending && <Loading lines={3} />}
      {hook.isError && <Failed what="Couldn't load the webhook" error={hook.error} retry={() => hook.refetch()} />}
      {hook.data && !hook.data.on && (
        <div className={classes.parts}>
          <p>Let another service start this workflow. It sends a secret, and the body of its request is the input.</p>
          <div className={classes.actions}>
            <Button loading={turnOn.isPending} onClick={make}>
              Turn on
            </Button>
          </div>
        </div>
      )}
      {hook.data?.on && (
        <div className={classes.parts}>
          {hook.data.problem && <p role="alert">It starts nothing: {hook.data.problem}</p>}
          {!deployed_version && <p role="alert">It starts nothing yet: deploy a version first.</p>}
          <CopyLine label="Address" text={hook.data.address} />
          {secret ? (
            <CopyLine label="Secret" text={secret} note="Copy it now: you won’t see it again." />
          ) : (
            <p className="small dim">
              {hook.data.created_by} made the secret
              {hook.data.created_at && (
                <>
                  {" "}
                  <Ago at={hook.data.created_at} />
                </>
              )}
              . It was shown once. If it is lost, renew it.
            </p>
          )}
          <CopyLine label="Example" text={curlExample(hook.data.address)} />
          <div className={classes.actions}>
            <Button variant="default" onClick={() => setAsked("renew")}>
              Renew secret
            </Button>
            <Button variant="default" onClick={() => setAsked("off")}>
              Turn off
            </Button>
          </div>
        </div>
      )}
      {asked === "renew" && (
        <ConfirmDialog
          title="Renew the secret?"
          action="Renew"
          pending={turnOn.isPending}
          onConfirm={make}
          onClose={() => setAsked(null)}
        >
          The old one stops working at once. Services that use it must get the new one.
        </ConfirmDialog>
      )}
      {asked === "off" && (
        <ConfirmDialog
          title="Turn the webhook off?"
          action="Turn off"
          pending={turnOff.isPending}
          onConfirm={() => turnOff.mutate(path)}
          onClose={() => setAsked(null)}
        >
          Services that use it start nothing any more. Runs under way go on.
        </ConfirmDialog>
      )}
    </Modal>
  );
}
