import "@/ui/switch.css";
import { Button, Switch } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { Channel } from "@/api/types";
import { Icon } from "@/ui/icons";
import { failed } from "@/ui/overlay/toast";
import { Ago } from "@/ui/time/clock";
import { KINDS, placeWords } from "./channel/channelKinds";
import { TestOutcome, useChannelTest } from "./channel/TestOutcome";
import { useRereadChannels } from "./channel/useChannels";
import classes from "./channels.module.css";

/** One channel: where it goes, whether it works, a test, and the switch. */
export function ChannelRow({ channel, admin }: { channel: Channel; admin: boolean }) {
  const { id, kind, name, enabled } = channel;
  const reread = useRereadChannels();
  const test = useChannelTest();
  const change = api.useMutation("patch", "/api/channels/{channel_id}", { onSuccess: reread, onError: failed });
  const path = { params: { path: { channel_id: id } } };
  // The switch follows at once; what was refused goes back with the toast.
  const on = change.isPending ? (change.variables.body.enabled ?? enabled) : enabled;
  return (
    <li className={classes.row} aria-label={name}>
      <span className={classes.icon}>
        <Icon name={KINDS[kind].icon} />
      </span>
      <div className={classes.what}>
        <p>
          {admin ? (
            <Link className={classes.name} to="/settings" search={{ section: "channels", channel: id }}>
              {name}
            </Link>
          ) : (
            <b>{name}</b>
          )}{" "}
          {name !== KINDS[kind].label && <span className="small dim">{KINDS[kind].label}</span>}
        </p>
        <p className="small dim">{placeWords(channel)}</p>
        <Health channel={channel} tried={test.isSuccess || test.isError} />
      </div>
      {admin && (
        <div className={classes.actions}>
          <Button
            className={classes.test}
            size="compact-sm"
            variant="default"
            aria-label={`Test ${name}`}
            loading={test.isPending}
            onClick={() => test.mutate(path)}
          >
            Test
          </Button>
          <Switch
            className={classes.switch}
            aria-label={`${name} is on`}
            checked={on}
            onChange={({ currentTarget }) => change.mutate({ ...path, body: { enabled: currentTarget.checked } })}
          />
        </div>
      )}
      <div className={classes.below}>
        <TestOutcome channel={channel} test={test} />
      </div>
    </li>
  );
}

interface HealthProps {
  channel: Channel;
  /** How a test went stands below, just now. */
  tried: boolean;
}

/** The last thing that happened to it; the way to all the others. */
function Health({ channel: { id, enabled, last_sent_at, last_error, ...channel }, tried }: HealthProps) {
  const testError = tried ? null : channel.test_error;
  const search = { section: "channels", view: "deliveries", channel: id } as const;
  return (
    <p className="small">
      {!enabled && <span className="dim">Off: nothing is sent. </span>}
      {last_error && (
        <Link className={classes.error} to="/settings" search={search}>
          {last_error}
        </Link>
      )}
      {!last_error && testError && <span className={classes.error}>The last test failed. {testError}</span>}
      {!last_error && !testError && last_sent_at && (
        <Link className={classes.sent} to="/settings" search={search}>
          Last sent <Ago at={last_sent_at} />
        </Link>
      )}
      {!last_error && !testError && !last_sent_at && enabled && <span className="dim">Nothing sent yet</span>}
    </p>
  );
}
