import { Button } from "@mantine/core";
import { useState } from "react";
import { Icon } from "@/ui/icons";
import { useKeys } from "@/ui/useKeys";
import { Fields } from "@/ui/Values";
import classes from "./ask.module.css";
import { Deny } from "./Deny";
import { type DecideProps, isOpen } from "./decide";

/** Yes, or no with a reason: milestones, budgets, and plans as a whole. */
export function ApproveOrDeny({ ask, answering, shortcuts }: DecideProps) {
  const [denying, setDenying] = useState(false);
  const open = isOpen(ask);
  const approve = () => answering.send({ decision: "approve" });
  useKeys(shortcuts && open && !denying && !answering.pending ? { a: approve, d: () => setDenying(true) } : {});
  return (
    <>
      {ask.arguments && (
        <div className={classes.body}>
          <Fields values={Object.entries(ask.arguments)} />
        </div>
      )}
      {open && (
        <div className={classes.bar}>
          {denying ? (
            <Deny ask={ask} answering={answering} onBack={() => setDenying(false)} />
          ) : (
            <div className={classes.buttons}>
              <Button
                data-main
                leftSection={<Icon name="check" />}
                rightSection={shortcuts && <kbd>A</kbd>}
                loading={answering.pending}
                onClick={approve}
              >
                Approve
              </Button>
              <Button
                data-main
                variant="default"
                leftSection={<Icon name="x" />}
                rightSection={shortcuts && <kbd>D</kbd>}
                disabled={answering.pending}
                onClick={() => setDenying(true)}
              >
                Deny
              </Button>
            </div>
          )}
        </div>
      )}
    </>
  );
}
