import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { api, queries } from "@/api/client";
import { IDENTITY } from "@/api/identity";
import { stopLive } from "@/api/live/useLive";
import { authorChanged, outbox } from "@/features/asks/outbox/outgoing";
import { failed } from "@/ui/overlay/toast";

export const meQuery = () => api.queryOptions("get", "/api/me", {}, { staleTime: Number.POSITIVE_INFINITY });

export function useMe() {
  return api.useSuspenseQuery("get", "/api/me", {}, { staleTime: Number.POSITIVE_INFINITY }).data;
}

/** Only a path of this app: a link from outside must not send people elsewhere after they signed in. */
export function safePath(to: string | undefined): string {
  return to?.startsWith("/") && !to.startsWith("//") && !to.startsWith("/\\") ? to : "/inbox";
}

/** On to where the person wanted to go. */
export function useEnter(to: string | undefined): () => Promise<void> {
  const navigate = useNavigate();
  return useCallback(() => navigate({ to: safePath(to), replace: true }), [navigate, to]);
}

export const isSignedIn = async (): Promise<boolean> => (await fetch("/api/me").catch(() => undefined))?.ok ?? false;

export function useSignIn(to: string | undefined) {
  const enter = useEnter(to);
  return api.useMutation("post", "/api/auth/sign-in", {
    onSuccess: async ({ user }) => {
      // Before anything can go out with the new cookie.
      authorChanged(user.id);
      queries.clear();
      await enter();
    },
  });
}

export function useSignOut() {
  const navigate = useNavigate();
  return api.useMutation("post", "/api/auth/sign-out", {
    // What is decided goes out while it still has its author.
    onMutate: () => outbox.sendHeld(),
    onSuccess: async () => {
      stopLive();
      authorChanged(null);
      await navigate({ to: "/sign-in", search: {} });
      queries.clear();
    },
    onError: failed,
  });
}

/** Somebody else signed in, or this person signed out, in another tab: nothing here is theirs. */
export function followIdentity(user: string): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === IDENTITY && newValue !== user) location.reload();
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}
