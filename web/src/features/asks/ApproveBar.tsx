import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Answer } from "@/api/types";
import { useMe } from "@/features/session/session";
import { Icon } from "@/ui/icons";
import { useKeys } from "@/ui/useKeys";
import classes from "./ask.module.css";
import { Bar } from "./Bar";
import { Deny } from "./Deny";
import type { DecideProps } from "./decide";
import { refusalFor, startedIt } from "./may";
import { Remember, type Remembered } from "./Remember";
import { Reply } from "./Reply";

interface ApproveBarProps extends Omit<DecideProps, "children"> {
  label?: string;
  /** What goes along with an approval: arguments, steps or a value. */
  answer?: Partial<Answer>;
  /** It cannot be approved as it stands. */
  disabled?: boolean;
  onEdit?: () => void;
  /** Words to the agent are possible in place of a decision. */
  respond?: boolean;
  remember?: boolean;
  /** The answer gives a plan or a phase back, rather than ending one call. */
  denyWords?: string;
}

type Mode = "look" | "deny" | "respond";

/** Yes, or no with a reason; with a note and what to remember, where wanted. */
export function ApproveBar(props: ApproveBarProps) {
  const { ask, answering, shortcuts, label = "Approve", answer, disabled, onEdit, respond, remember } = props;
  const [mode, setMode] = useState<Mode>("look");
  const [note, setNote] = useState<string | null>(null);
  const [kept, setKept] = useState<Remembered | null | undefined>();
  const me = useMe();
  const may = refusalFor(me, ask) === null;
  const barred = startedIt(me, ask);
  const approve = () =>
    answering.send({ decision: "approve", ...answer, note: note?.trim() || null, remember: kept ?? null });
  const look = () => setMode("look");
  const ready = shortcuts && may && mode === "look" && !answering.pending;
  useKeys(ready ? { a: disabled || barred ? undefined : approve, d: () => setMode("deny"), e: onEdit } : {});
  return (
    <Bar ask={ask} answering={answering}>
      {mode === "deny" && <Deny ask={ask} answering={answering} words={props.denyWords} onBack={look} />}
      {mode === "respond" && (
        <Reply
          label="Say this to the agent instead of running the call"
          action="Send instead"
          onBack={look}
          onSend={(text) => answering.send({ decision: "respond", value: text })}
        />
      )}
      {mode === "look" && (
        <>
          {barred && (
            <p className="small dim">You started this run, so somebody else must approve it. You can refuse it.</p>
          )}
          {kept !== undefined && <Remember ask={ask} value={kept} onChange={setKept} />}
          {note !== null && (
            <Textarea
              label="Note, kept with your approval"
              autosize
              minRows={1}
              maxRows={6}
              autoFocus
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
          )}
          <div className={classes.buttons}>
            <Button
              data-main
              leftSection={<Icon name="check" />}
              rightSection={shortcuts && <kbd>A</kbd>}
              disabled={disabled || barred}
              onClick={approve}
            >
              {label}
            </Button>
            {onEdit && (
              <Button
                data-main
                variant="default"
                leftSection={<Icon name="pencil" size={14} />}
                rightSection={shortcuts && <kbd>E</kbd>}
                onClick={onEdit}
              >
                Edit
              </Button>
            )}
            <Button
              data-main
              variant="default"
              leftSection={<Icon name="x" />}
              rightSection={shortcuts && <kbd>D</kbd>}
              onClick={() => setMode("deny")}
            >
              Deny
            </Button>
            <span className={classes.extras}>
              {respond && (
                <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setMode("respond")}>
                  Respond …
                </Button>
              )}
              {note === null && (
                <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setNote("")}>
                  Note …
                </Button>
              )}
              {remember && kept === undefined && (
                <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setKept(null)}>
                  Remember …
                </Button>
              )}
            </span>
          </div>
        </>
      )}
    </Bar>
  );
}
