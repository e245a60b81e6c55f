import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { needsWords, useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Empty } from "@/ui/States";
import { ChannelRow } from "./ChannelRow";
import { useChannels } from "./channel/useChannels";
import classes from "./channels.module.css";
import { SmartRouting } from "./SmartRouting";

/** All channels, and how they are doing by now. */
export function ChannelList() {
  const channels = useChannels().data?.items ?? [];
  const admin = useMay("admin");
  const add = (
    <Button
      leftSection={<Icon name="plus" />}
      renderRoot={(props) => <Link {...props} to="/settings" search={{ section: "channels", add: "any" }} />}
    >
      Add a channel
    </Button>
  );
  return (
    <div className={classes.page}>
      <div className="row wrap">
        <p className={`dim grow ${classes.lead}`}>
          How people hear of what agents ask while Signoff is not on their screen.{" "}
          {!admin && needsWords("admin", "set up channels")}
        </p>
        <Button
          variant="default"
          leftSection={<Icon name="history" size={14} />}
          renderRoot={(props) => (
            <Link {...props} to="/settings" search={{ section: "channels", view: "deliveries" }} />
          )}
        >
          Deliveries
        </Button>
        {admin && channels.length > 0 && add}
      </div>
      {channels.length === 0 ? (
        <div className="card">
          <Empty icon="bell" title="No channels yet" action={admin && add}>
            {admin
              ? "Add email, Slack or another channel, so that people hear of an ask wherever they are and can decide there."
              : "Until an admin adds one, asks are only in the inbox."}
          </Empty>
        </div>
      ) : (
        <ul className={`card ${page.list} ${classes.rows}`} aria-label="Channels">
          {channels.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} admin={admin} />
          ))}
        </ul>
      )}
      <SmartRouting admin={admin} />
    </div>
  );
}
