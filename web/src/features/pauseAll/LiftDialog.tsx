import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { useSetPause } from "./usePauseAll";

/** Asks before every run goes on. Loaded when it is wanted: the banner stands on every page. */
export default function LiftDialog({ onClose }: { onClose: () => void }) {
  const lift = useSetPause();
  return (
    <ConfirmDialog
      title="Resume everything?"
      action="Resume everything"
      pending={lift.isPending}
      onConfirm={() => lift.mutate({ body: { enabled: false } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      Every run continues from where it stopped. Runs that someone paused one by one stay paused.
    </ConfirmDialog>
  );
}
