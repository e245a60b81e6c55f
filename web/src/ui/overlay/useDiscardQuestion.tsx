import { useRef, useState } from "react";
import { ConfirmDialog } from "./ConfirmDialog";

/** For a dialog that is written into: Escape, or a click beside it, asks before that is lost. */
export function useDiscardQuestion(onClose: () => void) {
  const [asking, setAsking] = useState(false);
  // Set by the form inside, which knows what it began with.
  const unsaved = useRef(false);
  return {
    unsaved,
    modal: {
      onClose: () => (unsaved.current ? setAsking(true) : onClose()),
      // Else the key that answers the question asks it again.
      closeOnEscape: !asking,
      closeOnClickOutside: !asking,
    },
    question: asking && (
      <ConfirmDialog
        title="Discard what you wrote?"
        action="Discard"
        cancel="Keep writing"
        danger
        pending={false}
        onConfirm={onClose}
        onClose={() => setAsking(false)}
      >
        It is saved nowhere yet.
      </ConfirmDialog>
    ),
  };
}
