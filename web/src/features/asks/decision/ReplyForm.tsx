import { Button, Textarea } from "@mantine/core";
import { type ReactNode, useState } from "react";
import classes from "../ask.module.css";

interface ReplyFormProps {
  label: string;
  placeholder?: string;
  action: string;
  first?: string;
  danger?: boolean;
  optional?: boolean;
  /** More to choose, between the text and the buttons. */
  children?: ReactNode;
  onBack?: () => void;
  onWrite?: (text: string) => void;
  onSend: (text: string) => void;
}

/** Words to the agent, with a button that sends them. Ctrl-Enter sends, Escape goes back. */
export function ReplyForm({ label, placeholder, action, first, danger, optional, children, ...on }: ReplyFormProps) {
  const { onBack, onWrite, onSend } = on;
  const [text, setText] = useState(first ?? "");
  const ready = optional || text.trim() !== "";
  const send = () => ready && onSend(text.trim());
  return (
    <>
      <Textarea
        label={label}
        placeholder={placeholder}
        autosize
        minRows={2}
        maxRows={10}
        data-autofocus
        autoFocus={Boolean(onBack)}
        // Escape goes back, and leaves a dialog around this open.
        data-mantine-stop-propagation={Boolean(onBack)}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          onWrite?.(value);
        }}
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(text.length, text.length)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onBack?.();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
        }}
      />
      {children}
      <div className={classes.buttons}>
        <Button data-main color={danger ? "red.8" : undefined} disabled={!ready} onClick={send}>
          {action}
        </Button>
        {onBack && (
          <Button variant="subtle" color="gray" onClick={onBack}>
            Back
          </Button>
        )}
      </div>
    </>
  );
}
