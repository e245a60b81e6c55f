import "@/ui/switch.css";
import { Switch } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { Preferences } from "@/api/preferences";
import { useMay } from "@/api/roles";
import type { ChannelKind } from "@/api/types";
import { Failed, Loading } from "@/ui/States";
import { KINDS } from "../channels/channel/channelKinds";
import { useChannels } from "../channels/channel/useChannels";
import { choose, isOffered, isWanted, waysOf } from "./personalWays";

const WORDS: Partial<Record<ChannelKind, string>> = {
  email: "To your own address.",
  push: "To all browsers listed under Push below. Switch it off to hear nothing in any of them.",
};

interface PersonalChannelsProps {
  wanted: NonNullable<Preferences["channels"]>;
  onChange: (wanted: NonNullable<Preferences["channels"]>) => void;
}

/** A switch for each channel that can reach one person. */
export function PersonalChannels({ wanted, onChange }: PersonalChannelsProps) {
  const admin = useMay("admin");
  const list = useChannels();
  const browsers = api.useQuery("get", "/api/push/subscriptions", {}).data?.items.length ?? 0;
  if (list.isPending) return <Loading lines={2} height={28} />;
  if (!list.data) return <Failed what="Couldn't load the channels" error={list.error} retry={() => list.refetch()} />;
  const ways = waysOf(list.data.items).filter((way) => isOffered(way, wanted, browsers));
  if (ways.length === 0)
    return (
      <p className="small dim">
        There is no channel yet that can reach you elsewhere.{" "}
        {admin ? (
          <Link to="/settings" search={{ section: "channels", add: "any" }} style={{ textDecoration: "underline" }}>
            Set one up
          </Link>
        ) : (
          "An admin can set one up."
        )}
      </p>
    );
  return ways.map((way) => (
    <Switch
      key={way.key}
      label={way.kind === "push" ? "Push to my browsers" : way.label}
      description={WORDS[way.kind] ?? `Direct messages in ${KINDS[way.kind].label}.`}
      checked={isWanted(way, wanted)}
      onChange={({ currentTarget }) => onChange(choose(way, wanted, currentTarget.checked))}
    />
  ));
}
