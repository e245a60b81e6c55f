import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyButton } from "@/ui/CopyButton";
import classes from "../settings.module.css";
import { OnlyHere } from "./OnlyHere";

interface LinkDialogProps {
  url: string;
  /** It went to them by mail, too. */
  mailed?: boolean;
  /** Whom it lets in, and for how long. */
  children: ReactNode;
  onClose: () => void;
}

/** A link that is shown once. */
export function LinkDialog({ url, mailed, children, onClose }: LinkDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={mailed ? "Link sent by mail" : "Send this link"}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <div className="stack">
        <p>{children}</p>
        {mailed && <p>It was also sent to them by mail, so you need not send it yourself.</p>}
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
