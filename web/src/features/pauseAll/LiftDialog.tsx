import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { useSetPause } from "./usePauseAll";

/** Asks before every run goes on. Loaded when it is wanted: the banner stands on every page. */
export default function LiftDialog({ onClose }: { onClose: () => void }) {
  const lift = useSetPause();
  return (
    <ConfirmDialog
      title="Let everything go on?"
      action="Let everything go on"
      pending={lift.isPending}
      onConfirm={() => lift.mutate({ body: { enabled: false } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      Every run goes on at once from where it was held. Runs that somebody paused by hand stay paused.
    </ConfirmDialog>
  );
}
