import { useState } from "react";
import { ApproveBar } from "./ApproveBar";
import { Arguments } from "./Arguments";
import { Batch } from "./Batch";
import { type DecideProps, isOpen } from "./decide";
import { EditArguments } from "./EditArguments";

/** One call that waits: approve it, change it first, refuse it, or say something instead. */
export function Approval(props: DecideProps) {
  const { ask, children } = props;
  const [editing, setEditing] = useState(false);
  const open = isOpen(ask);
  if (open && editing) return <EditArguments {...props} onBack={() => setEditing(false)} />;
  const edit = ask.arguments ? () => setEditing(true) : undefined;
  if (ask.action_type === "batch_operation" && Array.isArray(ask.arguments?.calls))
    return <Batch {...props} calls={ask.arguments.calls} onEdit={edit} />;
  return (
    <>
      <Arguments ask={ask} />
      {children}
      {open && <ApproveBar {...props} onEdit={edit} respond remember={ask.tool !== null} />}
    </>
  );
}
