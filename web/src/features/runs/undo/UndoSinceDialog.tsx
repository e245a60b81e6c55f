import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import type { UndoSincePreview } from "@/api/types";
import { Effect } from "@/ui/domain/effects/EffectPreview";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed } from "@/ui/overlay/toast";
import type { UndoDialogProps } from "./CallUndo";
import classes from "./undo.module.css";
import { AS_IT_IS_NOW, useUndone } from "./useUndone";

/** What it would change to undo a call and all that came after it, step by step. */
export default function UndoSinceDialog({ call, onClose }: UndoDialogProps) {
  const path = { run_id: call.run_id };
  const {
    data: shown,
    error,
    refetch,
  } = api.useQuery(
    "get",
    "/api/runs/{run_id}/calls/{call_id}/undo-since",
    { params: { path: { ...path, call_id: call.id } } },
    AS_IT_IS_NOW,
  );
  const undone = useUndone(onClose);
  const undo = api.useMutation("post", "/api/runs/{run_id}/undo", {
    onSuccess: ({ calls }) => undone(calls),
    onError: (refusal) => {
      failed(refusal);
      refetch();
    },
  });
  return (
    <ConfirmDialog
      title="Undo this and all that came after it?"
      action="Undo all"
      wide
      pending={undo.isPending}
      blocked={!shown}
      onConfirm={() => undo.mutate({ params: { path }, body: { since: call.id, digest: shown?.digest ?? null } })}
      onClose={onClose}
    >
      {error ? (
        `It can't be undone. ${wordsOf(error)}`
      ) : shown ? (
        <Steps shown={shown} />
      ) : (
        "Looking at what is there now…"
      )}
    </ConfirmDialog>
  );
}

function Steps({ shown: { steps, left } }: { shown: UndoSincePreview }) {
  return (
    <>
      <p className="small">
        {steps.length === 1 ? "One call is undone." : `${steps.length} calls are undone, the last one first.`} If one
        can't be, those before it stay as they are.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is scrolled by the keyboard, too */}
      <section className={classes.shown} aria-label="What it would change" tabIndex={0}>
        <ol className={classes.steps}>
          {steps.map(({ call_id: id, title, preview }) => (
            <li key={id}>
              {preview?.summary ? (
                <Effect preview={preview} />
              ) : (
                <>
                  <p className={`small ${classes.step}`}>{title}</p>
                  {preview ? (
                    <Effect preview={preview} />
                  ) : (
                    <p className="small dim">What this changes shows once the steps above are done.</p>
                  )}
                </>
              )}
            </li>
          ))}
        </ol>
      </section>
      {left.length > 0 && (
        <div className="small">
          <div className="label">Stays as it is</div>
          <ul className={classes.left}>
            {left.map(({ call_id: id, tool, why }) => (
              <li key={id}>
                <code>{tool}</code> {why}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
