import { useRef, useState } from "react";
import { api } from "@/api/client";
import type { components } from "@/api/schema";
import type { Channel, ChannelKind } from "@/api/types";
import { LeaveQuestion } from "@/ui/overlay/LeaveQuestion";
import { said } from "@/ui/overlay/toast";
import { freeName } from "../channel/channelKinds";
import { useRereadChannels } from "../channel/useChannels";
import { ChannelForm } from "./ChannelForm";
import { bodyOf, draftOf, refusalOf } from "./channelDraft";
import { DeleteChannel } from "./DeleteChannel";
import { LastStep } from "./guide/LastStep";
import { SetUpGuide } from "./guide/SetUpGuide";
import { SigningSecret } from "./SigningSecret";
import classes from "./setup.module.css";
import { TryChannel } from "./TryChannel";

/** A channel that was set up just now, with what is known only then. */
export interface NewChannel {
  channel: components["schemas"]["NewChannel"];
  webhookSecret?: string;
}

interface NewProps {
  kind: ChannelKind;
  taken: string[];
  onMade: (made: NewChannel) => void;
}

/** A new channel: what to do there, and what to enter here. */
export function SetUpNewChannel({ kind, taken, onMade }: NewProps) {
  const reread = useRereadChannels();
  const [begun] = useState(() => draftOf(kind, freeName(kind, taken)));
  const [draft, setDraft] = useState(begun);
  const create = api.useMutation("post", "/api/channels", {
    onSuccess: async (channel, { body }) => {
      await reread();
      onMade({ channel, webhookSecret: body.secrets?.webhook_secret });
    },
  });
  return (
    <div className={classes.columns} data-guide="first">
      <SetUpGuide kind={kind} />
      <ChannelForm
        kind={kind}
        draft={draft}
        refusal={refusalOf(create.error, kind)}
        pending={create.isPending}
        changed
        onChange={setDraft}
        onSave={() => create.mutate({ body: { kind, ...bodyOf(kind, draft) } })}
      />
      <LeaveQuestion unsaved={() => draft !== begun} />
    </div>
  );
}

interface ChangeProps {
  channel: Channel;
  made?: NewChannel;
}

/** A channel that is there: its settings, a test, and the way to be rid of it. */
export function ChangeChannel({ channel, made }: ChangeProps) {
  const { id, kind } = channel;
  const heading = useRef<HTMLHeadingElement>(null);
  const reread = useRereadChannels();
  const [draft, setDraft] = useState(() => draftOf(kind, "", channel));
  const changed = JSON.stringify(draft) !== JSON.stringify(draftOf(kind, "", channel));
  const save = api.useMutation("patch", "/api/channels/{channel_id}", {
    onSuccess: async (saved) => {
      setDraft(draftOf(kind, "", saved));
      said("Saved.");
      // The button that was pressed has nothing left to save, and a disabled one has no focus.
      heading.current?.focus();
      await reread();
    },
  });
  const test = <TryChannel channel={channel} fresh={Boolean(made)} unsaved={changed} />;
  const secret = kind === "webhook" && <SigningSecret channelId={id} made={made?.channel.signing_secret ?? null} />;
  return (
    <div className={classes.columns}>
      <div className={classes.parts}>
        {made && secret}
        {made && <LastStep channel={channel} secret={made.webhookSecret} />}
        {made && test}
        <ChannelForm
          kind={kind}
          saved={channel}
          draft={draft}
          refusal={refusalOf(save.error, kind)}
          pending={save.isPending}
          changed={changed}
          heading={heading}
          onChange={setDraft}
          onSave={() => save.mutate({ params: { path: { channel_id: id } }, body: bodyOf(kind, draft, channel) })}
        />
        {!made && test}
        {!made && secret}
        <DeleteChannel channel={channel} />
        <LeaveQuestion unsaved={() => changed} />
      </div>
      <SetUpGuide kind={kind} channel={made ? undefined : channel} />
    </div>
  );
}
