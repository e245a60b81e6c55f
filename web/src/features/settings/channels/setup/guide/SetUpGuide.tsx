import type { ReactNode } from "react";
import type { Channel, ChannelKind } from "@/api/types";
import page from "@/ui/page.module.css";
import classes from "../setup.module.css";
import { DiscordSteps, SlackSteps, TeamsSteps, TelegramSteps } from "./ChatSteps";
import type { StepsProps } from "./LastStep";
import { AppriseSteps, EmailSteps, PushSteps, WebhookSteps } from "./PlainSteps";

const GUIDES: Record<ChannelKind, { title: string; Steps: (props: StepsProps) => ReactNode }> = {
  email: { title: "What you need", Steps: EmailSteps },
  slack: { title: "In Slack", Steps: SlackSteps },
  teams: { title: "In Teams", Steps: TeamsSteps },
  discord: { title: "In Discord", Steps: DiscordSteps },
  telegram: { title: "In Telegram", Steps: TelegramSteps },
  webhook: { title: "At the other end", Steps: WebhookSteps },
  apprise: { title: "What you need", Steps: AppriseSteps },
  push: { title: "Nothing to set up", Steps: PushSteps },
};

/** What to do on the other side, step by step. */
export function SetUpGuide({ kind, channel }: { kind: ChannelKind; channel?: Channel }) {
  const { title, Steps } = GUIDES[kind];
  return (
    <section className={`card ${page.panel} ${classes.guide}`} aria-label={title}>
      <h2>{title}</h2>
      <Steps channel={channel} />
    </section>
  );
}
