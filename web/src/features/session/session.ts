import { useNavigate } from "@tanstack/react-router";
import { api, queries } from "@/api/client";
import { stopLive } from "@/api/useLive";
import { failed } from "@/ui/toast";

export const meQuery = () => api.queryOptions("get", "/api/me", {}, { staleTime: Number.POSITIVE_INFINITY });

export function useMe() {
  return api.useSuspenseQuery("get", "/api/me", {}, { staleTime: Number.POSITIVE_INFINITY }).data;
}

/** Only a path of this app: a link from outside must not send people elsewhere after they signed in. */
export function safePath(to: string | undefined): string {
  return to?.startsWith("/") && !to.startsWith("//") && !to.startsWith("/\\") ? to : "/inbox";
}

export function useSignIn(to: string | undefined) {
  const navigate = useNavigate();
  return api.useMutation("post", "/api/auth/sign-in", {
    onSuccess: async () => {
      queries.clear();
      await navigate({ to: safePath(to), replace: true });
    },
  });
}

export function useSignOut() {
  const navigate = useNavigate();
  return api.useMutation("post", "/api/auth/sign-out", {
    onSuccess: async () => {
      stopLive();
      await navigate({ to: "/sign-in", search: {} });
      queries.clear();
    },
    onError: failed,
  });
}
