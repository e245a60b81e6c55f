import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Ask } from "@/api/types";
import classes from "./ask.module.css";
import { parseArguments, written } from "./edit";

interface FormAnswerProps {
  ask: Ask;
  pending: boolean;
  onSend: (value: unknown) => void;
}

/** An answer with several fields, as JSON that must fit the ask's schema. */
export function FormAnswer({ ask, pending, onSend }: FormAnswerProps) {
  const [text, setText] = useState(() => written(ask.default ?? {}));
  const parsed = parseArguments(text);
  return (
    <>
      <Textarea
        className={classes.editor}
        label="Your answer, as JSON"
        autosize
        minRows={4}
        maxRows={16}
        spellCheck={false}
        value={text}
        error={parsed.ok ? null : parsed.message}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button data-main loading={pending} disabled={!parsed.ok} onClick={() => parsed.ok && onSend(parsed.value)}>
          Send answer
        </Button>
      </div>
    </>
  );
}
