import { Button, Loader, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import type { Answering } from "./answer";
import classes from "./ask.module.css";
import { Changes } from "./Changes";
import { useEdit, written } from "./edit";

interface EditArgumentsProps {
  ask: Ask;
  answering: Answering;
  onBack: () => void;
}

/** Change the arguments, see what that changes, then approve exactly these. */
export function EditArguments({ ask, answering, onBack }: EditArgumentsProps) {
  const [text, setText] = useState(() => written(ask.arguments));
  const [settledText] = useDebouncedValue(text, 250);
  const edit = useEdit(ask, text, settledText);
  const untouched = !edit.checking && edit.errors.length === 0 && edit.changes.length === 0;
  const approve = () => {
    if (edit.arguments) answering.send({ decision: "approve", arguments: edit.arguments });
    else if (untouched) answering.send({ decision: "approve" });
  };
  return (
    <>
      <div className={classes.body}>
        <Textarea
          className={classes.editor}
          label={
            <>
              Arguments of <code>{ask.tool}</code>
            </>
          }
          description="The call runs with exactly what stands here."
          autosize
          minRows={6}
          maxRows={24}
          autoFocus
          spellCheck={false}
          error={edit.errors.length > 0}
          aria-describedby="edit-errors"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && onBack()}
        />
        <div id="edit-errors" aria-live="polite">
          {edit.errors.length > 0 && (
            <ul className={classes.errors}>
              {edit.errors.map(({ path, message }) => (
                <li key={`${path} ${message}`}>
                  {path && <code>{path}</code>} {message}
                </li>
              ))}
            </ul>
          )}
        </div>
        {edit.changes.length > 0 && edit.errors.length === 0 && (
          <>
            <div className="label">What you changed</div>
            <Changes changes={edit.changes} />
          </>
        )}
      </div>
      <div className={classes.bar}>
        <div className={classes.buttons}>
          <Button
            data-main
            leftSection={<Icon name="check" />}
            loading={answering.pending}
            disabled={!edit.arguments && !untouched}
            onClick={approve}
          >
            {untouched ? "Approve" : "Approve with changes"}
          </Button>
          <Button variant="subtle" color="gray" disabled={answering.pending} onClick={onBack}>
            Discard changes
          </Button>
          {edit.checking && <Loader size="xs" aria-label="Checking" />}
        </div>
      </div>
    </>
  );
}
