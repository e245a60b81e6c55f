import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";

interface ConfirmDialogProps {
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** The verb on the button. */
  action: string;
  /** What the other button says: the safe way out, which Enter takes as well. */
  cancel?: string;
  danger?: boolean;
  /** For what has to be read before. */
  wide?: boolean;
  pending: boolean;
  /** What is missing before it can go ahead. */
  blocked?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** One more question before something that hurts. */
export function ConfirmDialog({
  title,
  children,
  action,
  cancel,
  danger,
  wide,
  pending,
  blocked,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={wide ? "lg" : undefined}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog may stand inside another form.
          event.stopPropagation();
          onConfirm();
        }}
      >
        {typeof children === "string" ? <p>{children}</p> : children}
        <div className="row" style={{ justifyContent: "flex-end", marginTop: "0.5rem" }}>
          <Button
            variant="default"
            onClick={onClose}
            disabled={pending}
            autoFocus={Boolean(cancel)}
            data-autofocus={cancel ? true : undefined}
          >
            {cancel ?? "Not now"}
          </Button>
          <Button
            type="submit"
            color={danger ? "red.8" : undefined}
            loading={pending}
            disabled={blocked}
            data-autofocus={cancel ? undefined : true}
            autoFocus={!cancel}
          >
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
