import { Checkbox } from "@mantine/core";
import { useState } from "react";
import type { Ask } from "@/api/types";
import { draftOf, keepDraft } from "../outbox/answerDrafts";
import { ReplyForm } from "./ReplyForm";
import type { Answering } from "./useAnswer";

interface DenyFormProps {
  ask: Ask;
  answering: Answering;
  /** What the agent does with the reason. */
  words?: string;
  onBack: () => void;
}

/** Refuse, with a reason that the agent reads. Ending the run needs one. */
export function DenyForm({
  ask,
  answering,
  words = "The agent reads this and continues without it.",
  onBack,
}: DenyFormProps) {
  const written = draftOf(ask);
  const [endRun, setEndRun] = useState(written.end_run ?? false);
  return (
    <ReplyForm
      label={endRun ? "Why? The run ends with this reason." : `Why? ${words}`}
      placeholder="For example: the figures are from last year"
      action={endRun ? "Deny and end the run" : "Deny"}
      danger
      optional={!endRun}
      first={written.reason ?? (written.decision === "deny" ? (written.note ?? "") : "")}
      onWrite={(note) => keepDraft(ask, { decision: "deny", note, reason: note })}
      onBack={onBack}
      onSend={(note) => answering.send({ decision: "deny", note: note || null, end_run: endRun })}
    >
      {ask.run_id && (
        <Checkbox
          size="xs"
          label="Also end the run"
          checked={endRun}
          onChange={({ currentTarget: { checked } }) => {
            setEndRun(checked);
            keepDraft(ask, { decision: "deny", end_run: checked });
          }}
        />
      )}
    </ReplyForm>
  );
}
