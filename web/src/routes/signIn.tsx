import { getRouteApi } from "@tanstack/react-router";
import { SignIn } from "@/features/session/SignIn";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  return <SignIn {...route.useSearch()} />;
}
