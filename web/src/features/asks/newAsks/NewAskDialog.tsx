import { Modal } from "@mantine/core";
import type { Ask } from "@/api/types";
import { kindWords } from "@/ui/domain/askKinds";
import { isCovered, Layer } from "@/ui/overlay/useOverlay";
import { useRead } from "@/ui/overlay/useRead";
import { AskDetail } from "../detail/AskDetail";
import { startAgain } from "../outbox/answerDrafts";
import { useShownInDialog } from "./askInDialog";
import classes from "./newAskDialog.module.css";

interface NewAskDialogProps {
  ask: Ask;
  onClose: () => void;
}

/** The new ask of the run on screen, to decide at once. */
export default function NewAskDialog({ ask, onClose }: NewAskDialogProps) {
  const read = useRead(true);
  useShownInDialog(ask.id);
  const later = () => {
    // The same Escape closes what lies over this first.
    if (isCovered(1)) return;
    onClose();
    // What was written here goes on in the run's own card.
    startAgain(ask.id);
  };
  return (
    <Modal
      opened
      onClose={later}
      size="52rem"
      title={
        // It came by itself: whatever key is pressed at this moment neither decides nor closes it.
        <span data-autofocus tabIndex={-1} className={classes.title}>
          {kindWords(ask).label} for this run
        </span>
      }
      closeButtonProps={{ "aria-label": "Decide later" }}
    >
      <Layer value={1}>
        <AskDetail askId={ask.id} shortcuts={read} onDecided={onClose} />
      </Layer>
    </Modal>
  );
}
