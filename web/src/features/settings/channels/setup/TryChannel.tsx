import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useMe } from "@/api/me";
import type { Channel } from "@/api/types";
import page from "@/ui/page.module.css";
import { TestOutcome, useChannelTest } from "../channel/TestOutcome";

interface TryChannelProps {
  channel: Channel;
  /** It was set up just now, so this is what to do next. */
  fresh: boolean;
  /** What is on the page is not what would be tested. */
  unsaved: boolean;
}

/** One test message, and the exact error. */
export function TryChannel({ channel, fresh, unsaved }: TryChannelProps) {
  const { user, standing } = useMe();
  const [to, setTo] = useState("");
  const test = useChannelTest();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    test.mutate({ params: { path: { channel_id: channel.id } }, body: { to: to.trim() || null } });
  };
  return (
    <form className={`card ${page.panel}`} aria-label="Test" onSubmit={submit}>
      <h2>{fresh ? `${channel.name} is set up. Try it now` : "Test"}</h2>
      {channel.kind === "email" && (
        <TextInput
          label="Send the test to"
          placeholder={standing === "root" ? String(channel.settings.from) : user.email}
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
      )}
      <div className="row wrap">
        <Button
          type="submit"
          variant={fresh ? "filled" : "default"}
          autoFocus={fresh}
          loading={test.isPending}
          disabled={unsaved}
        >
          Send a test
        </Button>
        {unsaved && <span className="small dim">Save your changes first.</span>}
      </div>
      <TestOutcome channel={channel} test={test} />
    </form>
  );
}
