import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useMe } from "@/api/me";
import type { Call } from "@/api/types";
import { Icon } from "@/ui/icons";

const DIALOGS = { one: lazy(() => import("./UndoDialog")), since: lazy(() => import("./UndoSinceDialog")) };

export interface UndoDialogProps {
  call: Call;
  onClose: () => void;
}

/** Takes a call back, or it and all that came after it; where that is not possible, says why. */
export function CallUndo({ call }: { call: Call }) {
  const { role } = useMe();
  const [extent, setExtent] = useState<keyof typeof DIALOGS | null>(null);
  if (call.status !== "succeeded" || !call.verdict.impact?.kinds.length) return null;
  if (!call.undo.possible) return <p className="small dim">{call.undo.why}</p>;
  if (role === "viewer") return null;
  const Dialog = extent && DIALOGS[extent];
  return (
    <div className="row wrap">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="rotate-ccw" size={14} />}
        onClick={() => setExtent("one")}
      >
        Undo
      </Button>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setExtent("since")}>
        Undo all since this
      </Button>
      {Dialog && (
        <Suspense>
          <Dialog call={call} onClose={() => setExtent(null)} />
        </Suspense>
      )}
    </div>
  );
}
