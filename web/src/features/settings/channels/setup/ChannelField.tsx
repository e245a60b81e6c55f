import { SetupField, type SetupFieldProps } from "@/ui/setup/SetupField";
import { WebhookEvents } from "./WebhookEvents";

export function ChannelField(props: SetupFieldProps) {
  const { field, value, error, onChange } = props;
  if (field.as === "events")
    return <WebhookEvents label={field.label} value={value} error={error} onChange={onChange} />;
  return <SetupField {...props} />;
}
