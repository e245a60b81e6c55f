import { Button, Modal, Textarea } from "@mantine/core";
import { useState } from "react";

interface DenyTogetherProps {
  count: number;
  onDeny: (note: string | null) => void;
  onClose: () => void;
}

/** Say once why all of them are denied. */
export default function DenyTogether({ count, onDeny, onClose }: DenyTogetherProps) {
  const [note, setNote] = useState("");
  const words = count === 1 ? "Deny 1 ask" : `Deny ${count.toLocaleString("en")} asks`;
  return (
    <Modal opened onClose={onClose} title={`${words}?`} closeButtonProps={{ "aria-label": "Close" }}>
      <div className="stack">
        <Textarea
          label="Why? The agent reads this."
          data-autofocus
          autosize
          minRows={2}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onDeny(note.trim() || null);
          }}
        />
        <div className="row">
          <Button color="red.8" onClick={() => onDeny(note.trim() || null)}>
            {words}
          </Button>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Back
          </Button>
        </div>
      </div>
    </Modal>
  );
}
