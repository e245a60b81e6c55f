import { Checkbox } from "@mantine/core";
import { useState } from "react";
import type { Ask } from "@/api/types";
import type { Answering } from "./answer";
import { Reply } from "./Reply";

interface DenyProps {
  ask: Ask;
  answering: Answering;
  /** What the agent does with the reason. */
  words?: string;
  onBack: () => void;
}

/** Refuse, with a reason that the agent reads. Ending the run needs one. */
export function Deny({ ask, answering, words = "The agent reads this and goes on without.", onBack }: DenyProps) {
  const [endRun, setEndRun] = useState(false);
  return (
    <Reply
      label={endRun ? "Why? The run ends with this reason." : `Why? ${words}`}
      placeholder="For example: the figures are from last year"
      action={endRun ? "Deny and end the run" : "Deny"}
      danger
      optional={!endRun}
      onBack={onBack}
      onSend={(note) => answering.send({ decision: "deny", note: note || null, end_run: endRun })}
    >
      {ask.run_id && (
        <Checkbox
          size="xs"
          label="End the run as well"
          checked={endRun}
          onChange={(event) => setEndRun(event.currentTarget.checked)}
        />
      )}
    </Reply>
  );
}
