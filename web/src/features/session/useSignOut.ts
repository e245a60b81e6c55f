import { useNavigate } from "@tanstack/react-router";
import { api, queries } from "@/api/client";
import { stopLive } from "@/api/live/useLive";
import { forgetPush } from "@/api/push";
import { failed } from "@/ui/overlay/toast";

interface Leaving {
  /** The last that is done while requests still have their author. */
  before: () => void;
  after: () => void;
}

export function useSignOut({ before, after }: Leaving) {
  const navigate = useNavigate();
  return api.useMutation("post", "/api/auth/sign-out", {
    onMutate: before,
    onSuccess: async () => {
      stopLive();
      after();
      forgetPush().catch(() => {});
      await navigate({ to: "/sign-in", search: {} });
      queries.clear();
    },
    onError: failed,
  });
}
