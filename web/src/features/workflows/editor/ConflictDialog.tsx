import { Button, Modal } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { Workflow } from "@/api/workflows/workflows";
import { Loading } from "@/ui/States";

const TextDiff = lazy(() => import("@/ui/editor/TextDiff"));

interface ConflictDialogProps {
  theirs: Workflow;
  mine: string;
  pending: boolean;
  onSaveMine: () => void;
  onTakeTheirs: () => void;
  onClose: () => void;
}

/** Somebody else saved meanwhile. Whatever one chooses, both texts stay within reach. */
export default function ConflictDialog(props: ConflictDialogProps) {
  const { theirs, mine, pending, onSaveMine, onTakeTheirs, onClose } = props;
  return (
    <Modal
      opened
      onClose={onClose}
      title="Somebody else saved meanwhile"
      size="48rem"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <div className="stack">
        <p>
          Version {theirs.version} came while you were editing. This is what yours would change in it. If you save
          yours, theirs stays under Versions. If you open theirs, Undo brings yours back.
        </p>
        <Suspense fallback={<Loading lines={3} />}>
          <TextDiff before={theirs.yaml} after={mine} label={`Version ${theirs.version} compared with yours`} />
        </Suspense>
        <div className="row wrap" style={{ justifyContent: "flex-end" }}>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Keep editing
          </Button>
          <Button variant="default" onClick={onTakeTheirs}>
            Open theirs
          </Button>
          <Button loading={pending} onClick={onSaveMine}>
            Save mine as version {theirs.version + 1}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
