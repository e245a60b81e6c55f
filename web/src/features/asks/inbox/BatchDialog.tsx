import { Button, Modal, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Ask } from "@/api/types";
import { RiskTag } from "@/ui/domain/RiskTag";
import { Icon } from "@/ui/icons";
import { answerMany, type BatchResult, batchWords } from "../outbox/batchAnswers";
import classes from "./inbox.module.css";

interface BatchDialogProps {
  asks: Ask[];
  decision: "approve" | "deny";
  onClose: (done: boolean) => void;
}

/** See all of them once more, decide, and see what came of each. */
export default function BatchDialog({ asks, decision, onClose }: BatchDialogProps) {
  const [note, setNote] = useState("");
  // What was chosen when the dialog opened: settled ones leave the list behind it.
  const [chosen] = useState(asks);
  const sending = useMutation({
    mutationFn: () => answerMany(chosen, { decision, note: note.trim() || null }),
  });
  const verb = decision === "approve" ? "Approve" : "Deny";
  const results = new Map(sending.data?.map((result) => [result.id, result]));
  const count = chosen.length === 1 ? "1 ask" : `${chosen.length} asks`;
  return (
    <Modal
      opened
      onClose={() => onClose(sending.isSuccess)}
      title={sending.data ? batchWords(sending.data, verb === "Deny" ? "denied" : "approved") : `${verb} ${count}?`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <div className="stack">
        <ul className={classes.chosen}>
          {chosen.map((ask) => (
            <Chosen key={ask.id} ask={ask} result={results.get(ask.id)} />
          ))}
        </ul>
        {sending.isSuccess ? (
          <Button onClick={() => onClose(true)} autoFocus>
            Done
          </Button>
        ) : (
          <>
            <Textarea
              label={decision === "deny" ? "Why? The agents read this." : "Note (optional)"}
              autosize
              minRows={2}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
            <div className="row">
              <Button
                data-autofocus
                autoFocus
                color={decision === "deny" ? "red.8" : undefined}
                loading={sending.isPending}
                onClick={() => sending.mutate()}
              >
                {verb} {count}
              </Button>
              <Button variant="subtle" color="gray" disabled={sending.isPending} onClick={() => onClose(false)}>
                Back
              </Button>
            </div>
          </>
        )}
      </div>
    </Modal>
  );
}

function Chosen({ ask, result }: { ask: Ask; result: BatchResult | undefined }) {
  const signed = result?.status === "pending" && !result.error;
  return (
    <li>
      <div className="row">
        {result && (
          <Icon
            name={result.error ? "circle-x" : "circle-check"}
            size={16}
            style={{ flex: "none", color: result.error ? "var(--bad)" : "var(--accent-ink)" }}
          />
        )}
        <span className="grow cut">{ask.title}</span>
        {!result && ask.risk && <RiskTag level={ask.risk.level} short />}
      </div>
      {signed && <p className="small dim">Signed. Waiting for someone else.</p>}
      {result?.error && <p className="small dim">{result.error}</p>}
    </li>
  );
}
