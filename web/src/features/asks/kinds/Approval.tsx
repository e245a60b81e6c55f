import { useState } from "react";
import type { Values } from "@/api/types";
import { EffectPreview } from "@/ui/domain/effects/EffectPreview";
import { Arguments } from "../arguments/Arguments";
import { EditArguments } from "../arguments/EditArguments";
import { ApproveBar } from "../decision/ApproveBar";
import { type DecideProps, isOpen } from "../decision/decideProps";
import { draftOf, keepDraft } from "../outbox/answerDrafts";
import { BatchedCalls } from "./BatchedCalls";
import { leftIn, withoutEdits } from "./callChoice";

/** The tool of the asks that a workflow's steps bring along. */
const CHECKPOINT = "checkpoint";

/** One call that waits: approve it, change it first, refuse it, or say something instead. */
export function Approval(props: DecideProps) {
  const { ask, answering, children } = props;
  const calls = ask.action_type === "batch_operation" && Array.isArray(ask.arguments?.calls) && ask.arguments.calls;
  const [editing, setEditing] = useState(() => {
    const { decision, arguments: values } = draftOf(ask);
    const changed = calls ? leftIn(calls, values) === null : Boolean(values);
    return decision === "approve" && changed && !answering.pending;
  });
  // The ticks of a batch are no part of what is edited after them.
  const [ticked, setTicked] = useState(() => (calls ? withoutEdits(calls, draftOf(ask).arguments) : null));
  const open = isOpen(ask);
  const discard = () => {
    keepDraft(ask, { arguments: ticked });
    setEditing(false);
  };
  if (open && editing) return <EditArguments {...props} onBack={discard} />;
  const edit = (first?: Values) => {
    setTicked(first ?? null);
    if (first) keepDraft(ask, { decision: "approve", arguments: first });
    setEditing(true);
  };
  if (calls)
    return (
      <BatchedCalls {...props} calls={calls} onEdit={edit}>
        <EffectPreview preview={ask.preview} />
        {children}
      </BatchedCalls>
    );
  return (
    <>
      <Arguments ask={ask} />
      <EffectPreview preview={ask.preview} />
      {children}
      {open && (
        <ApproveBar
          {...props}
          onEdit={ask.arguments ? () => edit() : undefined}
          // No agent waits at a checkpoint: whatever is no approval ends its workflow.
          respond={ask.tool !== CHECKPOINT}
          denyWords={ask.tool === CHECKPOINT ? "The workflow ends with this reason." : undefined}
          remember={ask.tool !== null && !ask.test}
        />
      )}
    </>
  );
}
