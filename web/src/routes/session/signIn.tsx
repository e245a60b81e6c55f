import { getRouteApi } from "@tanstack/react-router";
import { changeAuthor } from "@/features/asks/outbox/useOutbox";
import { SignIn } from "@/features/session/SignIn";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  return <SignIn {...route.useSearch()} onSignedIn={changeAuthor} />;
}
