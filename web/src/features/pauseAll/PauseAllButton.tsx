import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { needsWords, useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { usePauseState, useSetPause } from "./usePauseAll";

/** Holds every run of the workspace. Letting them go on is the banner's. */
export function PauseAllButton() {
  const may = useMay("admin");
  const state = usePauseState();
  const [asked, setAsked] = useState(false);
  if (!state || state.enabled) return null;
  return (
    <>
      <Button
        color="red.8"
        disabled={!may}
        title={may ? undefined : needsWords("admin", "pause everything")}
        leftSection={<Icon name="pause" />}
        onClick={() => setAsked(true)}
      >
        Pause everything
      </Button>
      {asked && <PauseAllDialog onClose={() => setAsked(false)} />}
    </>
  );
}

function PauseAllDialog({ onClose }: { onClose: () => void }) {
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
