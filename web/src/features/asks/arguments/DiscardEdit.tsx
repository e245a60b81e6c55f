import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";

interface DiscardEditProps {
  onDiscard: () => void;
  onKeep: () => void;
}

/** Something was changed: it is not lost by one key. */
export default function DiscardEdit({ onDiscard, onKeep }: DiscardEditProps) {
  return (
    <ConfirmDialog
      title="Discard your changes?"
      action="Discard"
      cancel="Keep editing"
      danger
      pending={false}
      onConfirm={onDiscard}
      onClose={onKeep}
    >
      The arguments go back to what the agent proposed.
    </ConfirmDialog>
  );
}
