import type { Channel, ChannelKind } from "@/api/types";
import type { IconName } from "@/ui/icons";

interface KindWords {
  label: string;
  icon: IconName;
  /** What it does for people, in one sentence. */
  about: string;
}

/** Every kind of channel, in the order in which they are offered. */
export const KINDS: Record<ChannelKind, KindWords> = {
  email: {
    label: "Email",
    icon: "mail",
    about: "Each person gets their own messages, with a link that decides without signing in.",
  },
  slack: {
    label: "Slack",
    icon: "hash",
    about: "Posts to a channel and writes to people directly. They approve and deny right there.",
  },
  teams: { label: "Microsoft Teams", icon: "users", about: "Posts a card to a channel, with a link to decide." },
  discord: {
    label: "Discord",
    icon: "message-square",
    about: "Posts to a channel and writes to people directly. They approve and deny right there.",
  },
  telegram: {
    label: "Telegram",
    icon: "send",
    about: "Posts to a group and writes to people directly. They approve and deny right there.",
  },
  webhook: { label: "Webhook", icon: "webhook", about: "Sends signed events to a program of your own." },
  apprise: {
    label: "Any other chat service",
    icon: "layers",
    about: "Posts a message with a link to one of a hundred services, by an Apprise address.",
  },
  push: {
    label: "Browser push",
    icon: "bell",
    about: "Tells people in their browser, also while Signoff is closed. They approve and deny right there.",
  },
};

export const isKind = (kind: unknown): kind is ChannelKind => typeof kind === "string" && kind in KINDS;

/** Where its messages go, as far as this reader may know. */
export function placeWords({ kind, settings }: Pick<Channel, "kind" | "settings">): string {
  const place = (name: string): string => (typeof settings[name] === "string" ? settings[name] : "");
  switch (kind) {
    case "email":
      return place("from") && `From ${place("from")}, through ${place("host")}`;
    case "slack":
      return place("channel") && `Posts to ${place("channel")}, and to people directly`;
    case "discord":
      return place("channel_id") && `Posts to the channel ${place("channel_id")}, and to people directly`;
    case "telegram":
      return place("chat_id") ? `Posts to ${place("chat_id")}, and to people directly` : "To people directly";
    case "teams":
      return place("webhook_url");
    case "webhook":
    case "apprise":
      return place("url");
    case "push":
      return "To the browsers in which people switched it on";
  }
}

/** A name that no other channel has. */
export function freeName(kind: ChannelKind, taken: string[]): string {
  const { label } = KINDS[kind];
  const first = kind === "apprise" ? "Chat" : label;
  for (let number = 1; ; number++) {
    const name = number === 1 ? first : `${first} ${number}`;
    if (!taken.includes(name)) return name;
  }
}
