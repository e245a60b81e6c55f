import { Radio, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Run } from "@/api/types";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import type { Action, RunMutations } from "./useRunActions";

interface RunActionDialogProps {
  run: Run;
  action: Action;
  act: RunMutations;
  onClose: () => void;
}

/** One more question, or what is needed to go on. */
export function RunActionDialog({ run, action, act, onClose }: RunActionDialogProps) {
  const [instructions, setInstructions] = useState("");
  const [from, setFrom] = useState<"start" | "last_good">("last_good");
  const common = { pending: act.pending, onClose };
  switch (action) {
    case "cancel":
      return (
        <ConfirmDialog
          {...common}
          title="Cancel this run?"
          action="Cancel the run"
          danger
          onConfirm={() => act.start(action, onClose)}
        >
          {`It stops for good. Its work is kept; open asks are withdrawn${run.open_asks > 0 ? ` (${run.open_asks})` : ""}. You can continue later with a new run.`}
        </ConfirmDialog>
      );
    case "complete":
      return (
        <ConfirmDialog
          {...common}
          title="Complete it now?"
          action="Complete"
          onConfirm={() => act.start(action, onClose)}
        >
          The run ends as completed, with what it has so far. Open asks are withdrawn.
        </ConfirmDialog>
      );
    case "delete":
      return (
        <ConfirmDialog {...common} title="Delete this run?" action="Delete for good" danger onConfirm={act.remove}>
          Its transcript, files and deliverables are deleted for good. The audit record stays.
        </ConfirmDialog>
      );
    case "continue":
      return (
        <ConfirmDialog
          {...common}
          title="Continue with new instructions"
          action="Continue"
          blocked={!instructions.trim()}
          onConfirm={() => act.onward(instructions.trim())}
        >
          <Textarea
            label="What should it do next?"
            description="This starts a new run that knows this one’s task and result."
            autosize
            minRows={3}
            maxRows={12}
            data-autofocus
            value={instructions}
            onChange={(event) => setInstructions(event.currentTarget.value)}
          />
        </ConfirmDialog>
      );
    case "retry":
      return (
        <ConfirmDialog {...common} title="Try again" action="Try again" onConfirm={() => act.again(from)}>
          <Radio.Group
            label="From where?"
            value={from}
            onChange={(value) => setFrom(value === "start" ? "start" : "last_good")}
          >
            <div className="stack" style={{ marginTop: 6 }}>
              <Radio
                value="last_good"
                label="From the last good step"
                description="Keeps its work and files, and continues after the last complete step."
              />
              <Radio value="start" label="From the start" description="Same task, from scratch." />
            </div>
          </Radio.Group>
        </ConfirmDialog>
      );
    default:
      return null;
  }
}
