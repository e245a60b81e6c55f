import { Checkbox, NativeSelect, PasswordInput, TextInput } from "@mantine/core";
import type { Channel } from "@/api/types";
import { isHidden } from "./channelDraft";
import type { Field } from "./channelForms";
import { WebhookEvents } from "./WebhookEvents";

// Below the input: fields stand side by side, and only some have one.
const BELOW: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];

interface ChannelFieldProps {
  field: Field;
  value: string;
  error?: string;
  /** Whose secrets are known, but never shown. */
  saved?: Channel;
  onChange: (value: string) => void;
}

export function ChannelField({ field, value, error, saved, onChange }: ChannelFieldProps) {
  const { path, label, as, choices } = field;
  if (as === "yes")
    return (
      <Checkbox
        label={label}
        error={error}
        checked={value !== ""}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? "true" : "")}
      />
    );
  if (as === "events") return <WebhookEvents label={label} value={value} error={error} onChange={onChange} />;
  const common = {
    label,
    description: savedWords(field, saved) ?? field.description,
    withAsterisk: field.needed,
    inputWrapperOrder: BELOW,
    error,
    value,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  if (choices) return <NativeSelect {...common} data={choices.map(({ value, label }) => ({ value, label }))} />;
  // No password manager should offer somebody's own password, nor keep this one as theirs.
  if (isHidden(field))
    return <PasswordInput {...common} name={path} placeholder={field.placeholder} autoComplete="new-password" />;
  return (
    <TextInput
      {...common}
      name={path}
      placeholder={field.placeholder}
      inputMode={as === "number" ? "numeric" : undefined}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

function savedWords({ as, path }: Field, saved?: Channel): string | undefined {
  const name = path.split(".").at(-1) ?? "";
  if (as === "secret" && saved?.secrets.includes(name)) return "Saved. Leave it empty to keep it.";
  if (as === "address" && saved?.settings[name]) return `Saved: ${saved.settings[name]} Leave it empty to keep it.`;
  return undefined;
}
