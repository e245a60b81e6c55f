import type { Notice } from "@/api/types";
import type { IconName } from "@/ui/icons";

export const KINDS: Record<Notice["kind"], { label: string; icon: IconName; tone?: "good" | "bad" | "warn" }> = {
  message: { label: "Message", icon: "message-square" },
  ask: { label: "You are asked", icon: "circle-help" },
  reminder: { label: "Reminder", icon: "clock", tone: "warn" },
  escalation: { label: "Escalation", icon: "triangle-alert", tone: "warn" },
  expiry: { label: "Your run", icon: "hourglass", tone: "bad" },
  completed: { label: "Your run", icon: "circle-check", tone: "good" },
  failed: { label: "Your run", icon: "circle-x", tone: "bad" },
  rejected: { label: "Your run", icon: "ban", tone: "bad" },
  cancelled: { label: "Your run", icon: "ban" },
  timeout: { label: "Your run", icon: "hourglass", tone: "bad" },
  progress: { label: "Your run", icon: "activity" },
  mention: { label: "You are mentioned", icon: "user" },
  auto_approved: { label: "Approved by a rule", icon: "shield-check" },
  people: { label: "Members", icon: "users" },
};

/** Where it was sent: agents write into channels, the rest comes from Signoff's own parts. */
export function placeWords({ kind, channel }: Pick<Notice, "kind" | "channel">): string {
  if (channel === "schedules" && kind === "failed") return "Schedule";
  if (kind !== "message") return KINDS[kind].label;
  return channel.startsWith("#") ? channel : `#${channel}`;
}

const AGENT = /^agent:/;

/** Who says it: people and agents go by their names. */
export function senderWords(
  sender: string,
  named: (email: string) => string,
  agentNamed: (slug: string) => string,
): string {
  return AGENT.test(sender) ? agentNamed(sender.replace(AGENT, "")) : named(sender);
}
