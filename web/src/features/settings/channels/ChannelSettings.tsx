import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { needsWords, useMay } from "@/api/roles";
import type { Channel } from "@/api/types";
import { Icon } from "@/ui/icons";
import { Empty, Failed, Loading } from "@/ui/States";
import { ChannelList } from "./ChannelList";
import { KINDS } from "./channel/channelKinds";
import type { ChannelsSearch } from "./channel/channelsSearch";
import { useChannels } from "./channel/useChannels";
import classes from "./channels.module.css";
import { DeliveryList } from "./deliveries/DeliveryList";
import { ChooseKind } from "./setup/ChooseKind";
import { ChangeChannel, type NewChannel, SetUpNewChannel } from "./setup/SetUpChannel";

/** The ways to reach people: all of them, one, or what was sent. */
export default function ChannelSettings({ search }: { search: ChannelsSearch }) {
  const admin = useMay("admin");
  const navigate = useNavigate();
  // What is shown once is kept while the page is open, and nowhere else.
  const [made, setMade] = useState<NewChannel>();
  const list = useChannels();
  if (list.isPending) return <Loading lines={4} />;
  if (!list.data) return <Failed what="Couldn't load the channels" error={list.error} retry={() => list.refetch()} />;
  const channels = list.data.items;
  if (search.view === "deliveries")
    return (
      <>
        <Back title="Deliveries" />
        <DeliveryList channels={channels} search={search} />
      </>
    );
  const { add } = search;
  if (!search.channel && !add) return <ChannelList />;
  if (!admin) return <p className="dim">{needsWords("admin", "set up channels")}</p>;
  if (add) {
    return (
      <>
        <Back title={add === "any" ? "New channel" : `New channel: ${KINDS[add].label}`} />
        {add === "any" ? (
          <ChooseKind />
        ) : (
          <SetUpNewChannel
            key={add}
            kind={add}
            taken={channels.map(({ name }) => name)}
            onMade={(next) => {
              setMade(next);
              const search = { section: "channels", channel: next.channel.id } as const;
              return navigate({ to: "/settings", search, replace: true, ignoreBlocker: true });
            }}
          />
        )}
      </>
    );
  }
  const channel = channels.find(({ id }) => id === search.channel);
  return (
    <>
      <Back title={channel ? channel.name : "Channel"} channel={channel} />
      {channel ? (
        <ChangeChannel key={channel.id} channel={channel} made={made?.channel.id === channel.id ? made : undefined} />
      ) : (
        <Empty icon="bell" title="This channel is gone">
          It was deleted, or the link is wrong.
        </Empty>
      )}
    </>
  );
}

function Back({ title, channel }: { title: string; channel?: Channel }) {
  return (
    <header className={classes.back}>
      <Link to="/settings" search={{ section: "channels" }}>
        <Icon name="arrow-left" size={14} /> Channels
      </Link>
      <h2>{title}</h2>
      {channel && channel.name !== KINDS[channel.kind].label && (
        <span className="dim">{KINDS[channel.kind].label}</span>
      )}
    </header>
  );
}
