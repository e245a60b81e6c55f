import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import { CopyButton } from "@/ui/CopyButton";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import settings from "../../settings.module.css";
import classes from "./setup.module.css";

/** What a webhook signs with. It is shown once: when it is made, and when it is changed. */
export function SigningSecret({ channelId, made }: { channelId: string; made: string | null }) {
  const [asked, setAsked] = useState(false);
  const rotate = api.useMutation("post", "/api/channels/{channel_id}/rotate-secret", {
    onSuccess: () => setAsked(false),
    onError: failed,
  });
  const secret = rotate.data?.signing_secret ?? made;
  return (
    <section className={`card ${page.panel}`} aria-label="Signing secret">
      <h2>Signing secret</h2>
      {secret ? (
        <>
          <p className="small">
            Copy it now: you won’t see it again.
            {rotate.data && " For 24 hours, messages are signed with the old one as well."}
          </p>
          <div className={settings.secret}>
            <code data-testid="secret">{secret}</code>
            <CopyButton text={() => secret} />
          </div>
        </>
      ) : (
        <>
          <p className="small dim">It proves to the receiver that a message comes from here. It was shown once.</p>
          <Button variant="default" className={classes.save} onClick={() => setAsked(true)}>
            Make a new one
          </Button>
        </>
      )}
      {asked && (
        <ConfirmDialog
          title="Make a new signing secret?"
          action="Make a new one"
          pending={rotate.isPending}
          onConfirm={() => rotate.mutate({ params: { path: { channel_id: channelId } } })}
          onClose={() => setAsked(false)}
        >
          For 24 hours messages are signed with both, so that you can change the receiver. After that, the old one is
          gone.
        </ConfirmDialog>
      )}
    </section>
  );
}
