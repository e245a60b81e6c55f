import { Modal } from "@mantine/core";
import type { Ask } from "@/api/types";
import { AskDetail } from "@/features/asks/AskDetail";
import { kindWords } from "@/features/asks/words";
import classes from "./shell.module.css";

interface ArrivedAskProps {
  ask: Ask;
  onClose: () => void;
}

/** The new ask of the run on screen, to decide at once. */
export default function ArrivedAsk({ ask, onClose }: ArrivedAskProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      size="52rem"
      title={`${kindWords(ask).label} for this run`}
      closeButtonProps={{ "aria-label": "Decide later" }}
    >
      <div className={classes.arrived}>
        <AskDetail askId={ask.id} shortcuts={false} onDecided={onClose} />
      </div>
    </Modal>
  );
}
