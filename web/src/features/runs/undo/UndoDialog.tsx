import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import type { Call } from "@/api/types";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed, said } from "@/ui/overlay/toast";
import type { UndoExtent } from "./CallUndo";

interface UndoDialogProps {
  call: Call;
  extent: UndoExtent;
  onClose: () => void;
}

/** What an undo would change, before it happens. */
export default function UndoDialog({ call, extent, onClose }: UndoDialogProps) {
  const queries = useQueryClient();
  const path = { run_id: call.run_id, call_id: call.id };
  const shown = api.useQuery("get", "/api/runs/{run_id}/calls/{call_id}/undo", { params: { path } }, { retry: false });
  const done = (made: Call[]) => {
    const waits = made.some(({ status }) => status === "waiting");
    said(waits ? "Someone has to agree first: it is in the inbox." : "It is being undone.");
    queries.invalidateQueries({ queryKey: ["get", "/api/runs/{run_id}/messages"] });
    onClose();
  };
  const one = api.useMutation("post", "/api/runs/{run_id}/calls/{call_id}/undo", {
    onSuccess: (made) => done([made]),
    onError: failed,
  });
  const all = api.useMutation("post", "/api/runs/{run_id}/undo", {
    onSuccess: ({ calls }) => done(calls),
    onError: failed,
  });
  const since = extent === "since";
  const confirm = () =>
    since
      ? all.mutate({ params: { path: { run_id: call.run_id } }, body: { since: call.id } })
      : one.mutate({ params: { path }, body: { digest: shown.data?.digest ?? null } });
  return (
    <ConfirmDialog
      title={since ? "Undo this and all that came after it?" : "Undo this call?"}
      action={since ? "Undo all" : "Undo"}
      pending={one.isPending || all.isPending}
      blocked={!since && !shown.data}
      onConfirm={confirm}
      onClose={onClose}
    >
      {since
        ? "Each call is undone, the last one first. What can't be undone stays as it is. If one was changed since, those before it stay, too."
        : shown.error
          ? `It can't be undone. ${wordsOf(shown.error)}`
          : shown.data
            ? (shown.data.preview?.summary ?? shown.data.preview?.why ?? "What it would change is not known.")
            : "Looking at what is there now…"}
    </ConfirmDialog>
  );
}
