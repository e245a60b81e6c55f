import { api } from "@/api/client";
import { identityOf } from "@/api/identity";
import { outbox } from "@/features/asks/outbox/useOutbox";
import { failed } from "@/ui/overlay/toast";

/** Go to another workspace of the same person. The page starts anew there: nothing that it knew is true any more. */
export function useGoToWorkspace(): (workspace: string) => void {
  const go = api.useMutation("post", "/api/workspaces/{workspace_id}/switch", {
    // What is decided goes out where it was decided.
    onMutate: () => outbox.sendHeld(),
    onSuccess: (me) => {
      outbox.belongTo(identityOf(me));
      location.assign("/");
    },
    onError: failed,
  });
  return (workspace) => go.mutate({ params: { path: { workspace_id: workspace } } });
}
