import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyButton } from "@/ui/CopyButton";
import classes from "../settings.module.css";
import { OnlyHere } from "./OnlyHere";

interface LinkDialogProps {
  url: string;
  /** Whom it lets in, and for how long. */
  children: ReactNode;
  onClose: () => void;
}

/** A link that is shown once. */
export function LinkDialog({ url, children, onClose }: LinkDialogProps) {
  return (
    <Modal opened onClose={onClose} title="Send this link" closeButtonProps={{ "aria-label": "Close" }}>
      <div className="stack">
        <p>{children}</p>
        <div className={classes.secret}>
          <code>{url}</code>
          <CopyButton text={() => url} />
        </div>
        <OnlyHere url={url} />
        <Button onClick={onClose}>Done</Button>
      </div>
    </Modal>
  );
}
