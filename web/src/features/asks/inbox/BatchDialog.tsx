import { Button, Modal, Textarea } from "@mantine/core";
import { useState } from "react";
import { useMe } from "@/api/me";
import type { Ask } from "@/api/types";
import { RiskTag } from "@/ui/domain/RiskTag";
import { decideTogether } from "../outbox/decide";
import classes from "./inbox.module.css";

interface BatchDialogProps {
  asks: Ask[];
  decision: "approve" | "deny";
  onClose: (done: boolean) => void;
}

/** See all of them once more, then decide. It can be taken back for a moment, all of it at once. */
export default function BatchDialog({ asks, decision, onClose }: BatchDialogProps) {
  const me = useMe();
  const [note, setNote] = useState("");
  // What was chosen when the dialog opened: settled ones leave the list behind it.
  const [chosen] = useState(asks);
  const verb = decision === "approve" ? "Approve" : "Deny";
  const count = chosen.length === 1 ? "1 ask" : `${chosen.length} asks`;
  const decide = () => {
    const title = chosen.length === 1 ? (chosen[0]?.title ?? "") : `${chosen[0]?.title} and ${chosen.length - 1} more`;
    decideTogether(chosen, { decision, note: note.trim() || null }, me, { title });
    onClose(true);
  };
  return (
    <Modal
      opened
      onClose={() => onClose(false)}
      title={`${verb} ${count}?`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <div className="stack">
        <ul className={classes.chosen}>
          {chosen.map((ask) => (
            <li key={ask.id} className="row">
              <span className="grow cut">{ask.title}</span>
              {ask.risk && <RiskTag level={ask.risk.level} short />}
            </li>
          ))}
        </ul>
        <Textarea
          label={decision === "deny" ? "Why? The agents read this." : "Note (optional)"}
          autosize
          minRows={2}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <div className="row">
          <Button data-autofocus autoFocus color={decision === "deny" ? "red.8" : undefined} onClick={decide}>
            {verb} {count}
          </Button>
          <Button variant="subtle" color="gray" onClick={() => onClose(false)}>
            Back
          </Button>
        </div>
      </div>
    </Modal>
  );
}
