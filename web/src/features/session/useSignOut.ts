import { useNavigate } from "@tanstack/react-router";
import { api, queries } from "@/api/client";
import { stopLive } from "@/api/live/useLive";
import { changeAuthor, outbox } from "@/features/asks/outbox/useOutbox";
import { failed } from "@/ui/overlay/toast";

export function useSignOut() {
  const navigate = useNavigate();
  return api.useMutation("post", "/api/auth/sign-out", {
    // What is decided goes out while it still has its author.
    onMutate: () => outbox.sendHeld(),
    onSuccess: async () => {
      stopLive();
      changeAuthor(null);
      await navigate({ to: "/sign-in", search: {} });
      queries.clear();
    },
    onError: failed,
  });
}
