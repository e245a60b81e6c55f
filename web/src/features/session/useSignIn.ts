import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { api, queries } from "@/api/client";
import { identityOf } from "@/api/identity";

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

/** `onSignedIn` is called with who it is before anything can go out with the new cookie. */
export function useSignIn(to: string | undefined, onSignedIn: (identity: string) => void) {
  const enter = useEnter(to);
  return api.useMutation("post", "/api/auth/sign-in", {
    onSuccess: async (me) => {
      onSignedIn(identityOf(me));
      queries.clear();
      await enter();
    },
  });
}
