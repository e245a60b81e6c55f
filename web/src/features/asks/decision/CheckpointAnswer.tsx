import { Button, Popover } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import type { Ask } from "@/api/types";
import { outcomeWords } from "@/ui/domain/askOutcomes";
import { Icon } from "@/ui/icons";
import classes from "../ask.module.css";
import { signLabel } from "../outbox/decisionWords";
import { DecisionBar } from "./DecisionBar";
import { isOpen } from "./decideProps";
import { glance } from "./glance";
import { barFor } from "./mayDecide";
import { ReplyForm } from "./ReplyForm";
import { type Answering, useAnswer } from "./useAnswer";

/** A workflow's checkpoint, decided where its step is drawn: yes, no with a reason, or the whole of it to edit. */
export function CheckpointAnswer({ askId }: { askId: string }) {
  const { data: ask } = api.useQuery("get", "/api/asks/{ask_id}", { params: { path: { ask_id: askId } } });
  if (!ask) return null;
  if (!isOpen(ask)) return <p className="small dim">{outcomeWords(ask)?.label}</p>;
  return <OpenCheckpoint ask={ask} />;
}

function OpenCheckpoint({ ask }: { ask: Ask }) {
  const answering = useAnswer(ask);
  const barred = barFor(useMe(), ask);
  return (
    <DecisionBar ask={ask} answering={answering} sticky={false}>
      <p className={`tiny dim ${classes.glance}`}>{glance(ask.arguments ?? {})}</p>
      <fieldset className={`${classes.buttons} ${classes.quick}`} aria-label={`Answer: ${ask.title}`}>
        {!barred && (
          <Button
            size="xs"
            px={8}
            leftSection={<Icon name="check" size={13} />}
            onClick={() => answering.send({ decision: "approve" })}
          >
            {signLabel(ask, "Approve", false)}
          </Button>
        )}
        <Deny answering={answering} />
        <Button
          size="xs"
          px={8}
          variant="subtle"
          renderRoot={(props) => <Link {...props} to="/asks/$askId" params={{ askId: ask.id }} />}
        >
          Open
        </Button>
      </fieldset>
    </DecisionBar>
  );
}

/** Refusing a checkpoint ends the workflow, so it wants a word. */
function Deny({ answering }: { answering: Answering }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} trapFocus withinPortal width={300} position="bottom">
      <Popover.Target>
        <Button size="xs" px={8} variant="default" onClick={() => setOpen(!open)}>
          Deny
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ReplyForm
          label="Why? The workflow ends with this reason."
          action="Deny"
          danger
          onBack={() => setOpen(false)}
          onSend={(note) => answering.send({ decision: "deny", note, end_run: true })}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
