import type { Channel, ChannelKind } from "@/api/types";
import page from "@/ui/page.module.css";
import classes from "../setup.module.css";
import { discordEndpoint, telegramCommand } from "./callbacks";
import { CopyableText, OnlyPublic } from "./guideParts";

export interface StepsProps {
  /** Once it is saved. */
  channel?: Channel;
}

interface LastStepProps {
  channel: Channel;
  /** What Telegram proves itself with: known only just after it was entered. */
  secret?: string;
}

const LAST_STEPS: Partial<Record<ChannelKind, (props: LastStepProps) => React.ReactNode>> = {
  discord: DiscordLastStep,
  telegram: TelegramLastStep,
};

/** What can only be done on the other side once the channel is here. */
export function LastStep(props: LastStepProps) {
  const Step = LAST_STEPS[props.channel.kind];
  if (!Step) return null;
  return (
    <section className={`card ${page.panel} ${classes.guide}`} aria-label="One more step">
      <h2>One more step</h2>
      <div className="small">
        <Step {...props} />
      </div>
    </section>
  );
}

export function DiscordLastStep({ channel }: LastStepProps) {
  return (
    <>
      Under <b>General Information</b>, enter this as <b>Interactions Endpoint URL</b> and save:
      <CopyableText text={discordEndpoint(location.origin, channel.id)} />
      <OnlyPublic service="Discord" />
    </>
  );
}

export function TelegramLastStep({ channel, secret }: LastStepProps) {
  return (
    <>
      Tell Telegram where to report what people press. In a terminal, with the bot’s token
      {secret ? "" : " and the secret for the way back"}:
      <CopyableText text={telegramCommand(location.origin, channel.id, secret)} />
      <OnlyPublic service="Telegram" />
    </>
  );
}
