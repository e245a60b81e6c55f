import { Checkbox, NativeSelect, PasswordInput, Textarea, TextInput } from "@mantine/core";
import { SecretPairs } from "./SecretPairs";
import classes from "./setup.module.css";
import { type Field, isHidden, type Saved } from "./setupFields";

// Below the input: fields stand side by side, and only some have one.
const BELOW: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];

export interface SetupFieldProps {
  field: Field;
  value: string;
  error?: string;
  /** Whose secrets are known, but never shown. */
  saved?: Saved;
  onChange: (value: string) => void;
}

/** One thing to enter when something is set up. */
export function SetupField({ field, value, error, saved, onChange }: SetupFieldProps) {
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
  const description = savedWords(field, saved) ?? field.description;
  if (as === "secrets") return <SecretPairs {...{ label, description, error, value, onChange }} />;
  const common = {
    label,
    description,
    withAsterisk: field.needed,
    inputWrapperOrder: BELOW,
    error,
    value,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  if (choices) return <NativeSelect {...common} data={choices.map(({ value, label }) => ({ value, label }))} />;
  const written = { name: path, placeholder: field.placeholder, spellCheck: false };
  if (as === "pairs") return <Textarea {...common} {...written} autosize minRows={2} maxRows={8} autoComplete="off" />;
  // No password manager should offer somebody's own password, nor keep this one as theirs.
  if (isHidden(field)) return <PasswordInput {...common} {...written} autoComplete="new-password" />;
  if (as === "command") return <TextInput {...common} {...written} className={classes.whole} autoComplete="off" />;
  return <TextInput {...common} {...written} inputMode={as === "number" ? "numeric" : undefined} autoComplete="off" />;
}

function savedWords({ as, path, description = "" }: Field, saved?: Saved): string | undefined {
  const name = path.split(".").at(-1) ?? "";
  if (as === "secret" && saved?.secrets.includes(name)) return "Saved. Leave it empty to keep it.";
  if (as === "secrets" && saved && saved.secrets.length > 0)
    return `${description} Saved: ${saved.secrets.join(", ")}. What you leave out is kept, unless the settings change.`.trim();
  if (as === "address" && saved?.settings[name]) return `Saved: ${saved.settings[name]} Leave it empty to keep it.`;
  return undefined;
}
