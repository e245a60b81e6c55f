import { NativeSelect, TextInput } from "@mantine/core";
import { missingChannels, useChannelNames, usePeopleNames } from "@/ui/domain/names";
import { NamesField } from "@/ui/NamesField";
import page from "@/ui/page.module.css";
import classes from "../agents.module.css";
import type { PartProps } from "./AgentForm";
import type { Notifications } from "./agentDefinition";

const BELOW: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];

/** Who hears of its runs outside the app, and where. */
export function NotificationFields({ form, set }: PartProps) {
  const told = form.notifications;
  const offered = useChannelNames();
  const missing = missingChannels(told.channels ?? [], offered);
  const put = (change: Partial<Notifications>) => set({ notifications: { ...told, ...change } });
  return (
    <section className={`card ${page.panel}`} aria-label="Notifications">
      <h2>Notifications</h2>
      <p className="small dim">Outside the app. Rules that say who is told come before these settings.</p>
      <div className={classes.grid}>
        <NamesField
          label="Channels"
          description="Only these, by name or kind."
          inputWrapperOrder={BELOW}
          placeholder="All that are set up"
          maxTags={20}
          value={told.channels ?? []}
          offered={offered}
          error={missing.length > 0 && `Not there: ${missing.join(", ")}. Those whom it concerns get a mail instead.`}
          onChange={(channels) => put({ channels })}
        />
        <NamesField
          label="Who is told"
          description="Emails, roles or groups. Told of its asks, and of how its runs end."
          inputWrapperOrder={BELOW}
          placeholder="Whoever can decide"
          maxTags={50}
          value={told.recipients ?? []}
          offered={usePeopleNames()}
          onChange={(recipients) => put({ recipients })}
        />
        <MailChoice
          label="Mail when it asks"
          always="Always, at once"
          value={told.email_on_approval_needed}
          onChange={(email_on_approval_needed) => put({ email_on_approval_needed })}
        />
        <MailChoice
          label="Mail when a run is completed"
          always="Always"
          value={told.email_on_completion}
          onChange={(email_on_completion) => put({ email_on_completion })}
        />
        <TextInput
          label="Slack conversation"
          description="Another than that of the Slack channel, such as C024BE91L."
          inputWrapperOrder={BELOW}
          placeholder="That of the channel"
          maxLength={500}
          value={told.slack_channel_id ?? ""}
          onChange={(event) => put({ slack_channel_id: event.currentTarget.value })}
        />
      </div>
    </section>
  );
}

interface MailChoiceProps {
  label: string;
  always: string;
  value: boolean | null | undefined;
  onChange: (value: boolean | null) => void;
}

function MailChoice({ label, always, value, onChange }: MailChoiceProps) {
  return (
    <NativeSelect
      label={label}
      value={String(value ?? "")}
      data={[
        { value: "", label: "As each person wants it" },
        { value: "true", label: always },
        { value: "false", label: "Never" },
      ]}
      onChange={({ currentTarget: { value: chosen } }) => onChange(chosen === "" ? null : chosen === "true")}
    />
  );
}
