import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import { Effect } from "@/ui/domain/effects/EffectPreview";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed } from "@/ui/overlay/toast";
import type { UndoDialogProps } from "./CallUndo";
import classes from "./undo.module.css";
import { AS_IT_IS_NOW, useUndone } from "./useUndone";

/** What an undo would change, before it happens. */
export default function UndoDialog({ call, onClose }: UndoDialogProps) {
  const path = { run_id: call.run_id, call_id: call.id };
  const {
    data: shown,
    error,
    refetch,
  } = api.useQuery("get", "/api/runs/{run_id}/calls/{call_id}/undo", { params: { path } }, AS_IT_IS_NOW);
  const undone = useUndone(onClose);
  const undo = api.useMutation("post", "/api/runs/{run_id}/calls/{call_id}/undo", {
    onSuccess: (made) => undone([made]),
    onError: (refusal) => {
      failed(refusal);
      refetch();
    },
  });
  return (
    <ConfirmDialog
      title="Undo this call?"
      action="Undo"
      wide
      pending={undo.isPending}
      blocked={!shown}
      onConfirm={() => undo.mutate({ params: { path }, body: { digest: shown?.digest ?? null } })}
      onClose={onClose}
    >
      {error ? (
        `It can't be undone. ${wordsOf(error)}`
      ) : shown ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is scrolled by the keyboard, too
        <section className={classes.shown} aria-label="What it would change" tabIndex={0}>
          {shown.preview ? <Effect preview={shown.preview} /> : "What it would change is not known."}
        </section>
      ) : (
        "Looking at what is there now…"
      )}
    </ConfirmDialog>
  );
}
