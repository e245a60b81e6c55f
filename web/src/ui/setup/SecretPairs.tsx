import { ActionIcon, Button, PasswordInput, TextInput } from "@mantine/core";
import { Icon } from "../icons";
import classes from "./setup.module.css";

interface SecretPairsProps {
  label: string;
  description?: string;
  error?: string;
  /** `name=value`, a line each. */
  value: string;
  onChange: (value: string) => void;
}

/** Secrets with names of one's own: a name and a hidden value each. */
export function SecretPairs({ label, description, error, value, onChange }: SecretPairsProps) {
  const lines = value === "" ? [] : value.split("\n");
  const write = (changed: string[]) => onChange(changed.join("\n"));
  return (
    <fieldset className={classes.secrets}>
      <legend>{label}</legend>
      {lines.map((line, at) => {
        const [name = "", ...rest] = line.split("=");
        const put = (next: string) => write(lines.with(at, next));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the name is what is being written
          <div key={at} className={classes.secret}>
            <TextInput
              aria-label="Name of the secret"
              placeholder="name"
              autoComplete="off"
              spellCheck={false}
              value={name}
              onChange={({ currentTarget }) => put(`${currentTarget.value.replace(/[=\s]/g, "")}=${rest.join("=")}`)}
            />
            <PasswordInput
              aria-label={`Value of ${name || "the secret"}`}
              placeholder="value"
              autoComplete="new-password"
              value={rest.join("=")}
              onChange={({ currentTarget }) => put(`${name}=${currentTarget.value}`)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove ${name || "the secret"}`}
              onClick={() => write(lines.toSpliced(at, 1))}
            >
              <Icon name="x" />
            </ActionIcon>
          </div>
        );
      })}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="plus" size={13} />}
        onClick={() => write([...lines, "="])}
      >
        Add a secret
      </Button>
      {error && <p className={classes.wrong}>{error}</p>}
      {description && <p className="tiny dim">{description}</p>}
    </fieldset>
  );
}
