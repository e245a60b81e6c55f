import { useBlocker } from "@tanstack/react-router";
import { ConfirmDialog } from "./ConfirmDialog";

interface LeaveQuestionProps {
  /** Asked at the moment of leaving: what was saved a moment ago may not be drawn yet. */
  unsaved: () => boolean;
  /** What would be lost. */
  children?: string;
}

/** Nobody loses what they wrote by a wrong click. */
export function LeaveQuestion({ unsaved, children = "Your changes will be lost." }: LeaveQuestionProps) {
  const blocker = useBlocker({ shouldBlockFn: unsaved, enableBeforeUnload: unsaved, withResolver: true });
  if (blocker.status !== "blocked") return null;
  return (
    <ConfirmDialog
      title="Leave without saving?"
      action="Leave"
      cancel="Stay"
      danger
      pending={false}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      {children}
    </ConfirmDialog>
  );
}
