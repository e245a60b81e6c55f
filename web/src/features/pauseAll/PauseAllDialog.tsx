import { TextInput } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { useSetPause } from "./usePauseAll";

/** Asks before every run stops, and why. */
export default function PauseAllDialog({ onClose }: { onClose: () => void }) {
  const pause = useSetPause();
  const [reason, setReason] = useState("");
  return (
    <ConfirmDialog
      title="Pause everything?"
      action="Pause everything"
      danger
      pending={pause.isPending}
      onConfirm={() => pause.mutate({ body: { enabled: true, reason: reason || null } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        No run takes another step until an admin resumes everything. Calls that have started will finish, and people can
        still answer, start and cancel.
      </p>
      <TextInput
        label="Why (everyone sees this)"
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
