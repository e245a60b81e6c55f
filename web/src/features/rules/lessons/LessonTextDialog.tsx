import { Textarea } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";

interface LessonTextDialogProps {
  title: string;
  action: string;
  text: string;
  pending: boolean;
  onSave: (text: string) => void;
  onClose: () => void;
}

const MOST = 2000;

/** What agents are to read. */
export function LessonTextDialog({ title, action, text, pending, onSave, onClose }: LessonTextDialogProps) {
  const [written, setWritten] = useState(text.slice(0, MOST));
  return (
    <ConfirmDialog
      title={title}
      action={action}
      pending={pending}
      blocked={!written.trim()}
      onConfirm={() => onSave(written.trim())}
      onClose={onClose}
    >
      <Textarea
        label="What the agent reads"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={MOST}
        data-autofocus
        value={written}
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
