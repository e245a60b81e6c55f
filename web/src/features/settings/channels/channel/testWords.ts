import type { Channel } from "@/api/types";

/** What to look at, once a test has gone through. */
export function arrivalWords({ kind, settings }: Pick<Channel, "kind" | "settings">, email: string): string {
  switch (kind) {
    case "email":
      return `It arrived: the mail server took it for ${email}. See if it is in the inbox, not under spam.`;
    case "slack":
      return `It arrived in ${settings.channel}.`;
    case "webhook":
      return "It arrived: the address answered with success.";
    case "push":
      return "It arrived: see the notification of your browser.";
    case "discord":
    case "telegram":
    case "teams":
    case "apprise":
      return "It arrived: see the message there.";
  }
}
