import { Button } from "@mantine/core";
import { useState } from "react";
import { Icon } from "@/ui/icons";
import { useKeys } from "@/ui/useKeys";
import { Fields } from "@/ui/Values";
import classes from "./ask.module.css";
import { Deny } from "./Deny";
import { type DecideProps, isOpen } from "./decide";
import { EditArguments } from "./EditArguments";
import { Reply } from "./Reply";

type Mode = "look" | "edit" | "deny" | "respond";

/** One call that waits: approve it, change it first, refuse it, or say something instead. */
export function Approval({ ask, answering, shortcuts }: DecideProps) {
  const [mode, setMode] = useState<Mode>("look");
  const open = isOpen(ask);
  const approve = () => answering.send({ decision: "approve" });
  const look = () => setMode("look");
  const keysOn = shortcuts && open && mode === "look" && !answering.pending;
  useKeys(keysOn ? { a: approve, d: () => setMode("deny"), e: () => setMode("edit") } : {});
  if (open && mode === "edit") return <EditArguments ask={ask} answering={answering} onBack={look} />;
  return (
    <>
      <div className={classes.body}>
        <div className={classes.toolhead}>
          <Icon name="terminal" size={15} />
          <code>{ask.tool}</code>
          {ask.estimated_cost_credits != null && (
            <span className="small dim num">about {ask.estimated_cost_credits} credits</span>
          )}
        </div>
        <Fields values={Object.entries(ask.arguments ?? {})} />
      </div>
      {open && (
        <div className={classes.bar}>
          {mode === "deny" && <Deny ask={ask} answering={answering} onBack={look} />}
          {mode === "respond" && (
            <Reply
              label="Say this to the agent instead of running the call"
              action="Send instead"
              pending={answering.pending}
              onBack={look}
              onSend={(text) => answering.send({ decision: "respond", value: text })}
            />
          )}
          {mode === "look" && (
            <div className={classes.buttons}>
              <Button
                data-main
                leftSection={<Icon name="check" />}
                rightSection={shortcuts && <kbd>A</kbd>}
                loading={answering.sending === "approve"}
                onClick={approve}
              >
                Approve
              </Button>
              <Button
                data-main
                variant="default"
                leftSection={<Icon name="pencil" size={14} />}
                rightSection={shortcuts && <kbd>E</kbd>}
                disabled={answering.pending}
                onClick={() => setMode("edit")}
              >
                Edit
              </Button>
              <Button
                data-main
                variant="default"
                leftSection={<Icon name="x" />}
                rightSection={shortcuts && <kbd>D</kbd>}
                disabled={answering.pending}
                onClick={() => setMode("deny")}
              >
                Deny
              </Button>
              <Button variant="subtle" color="gray" disabled={answering.pending} onClick={() => setMode("respond")}>
                Respond instead
              </Button>
            </div>
          )}
        </div>
      )}
    </>
  );
}
