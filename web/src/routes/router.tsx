import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { queries } from "@/api/client";
import { isProblem } from "@/api/problems";
import { type AskKind, isKind } from "@/features/asks/words";
import { isStatus, type RunStatus } from "@/features/runs/words";
import { meQuery } from "@/features/session/session";
import { Broken, Missing, Pending } from "./fallbacks";

const root = createRootRoute({ component: Outlet, notFoundComponent: Missing, errorComponent: Broken });

const text = (value: unknown): string | undefined => (typeof value === "string" && value ? value : undefined);

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search): { token?: string; to?: string } => ({ token: text(search.token), to: text(search.to) }),
  component: lazyRouteComponent(() => import("./signIn"), "SignInPage"),
});

/** Everything but signing in needs somebody who is signed in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async ({ location }) => {
    try {
      await queries.ensureQueryData(meQuery());
    } catch (error) {
      if (isProblem(error, 401)) throw redirect({ to: "/sign-in", search: { to: location.href }, replace: true });
      throw error;
    }
  },
  component: lazyRouteComponent(() => import("@/features/shell/Shell"), "Shell"),
  pendingComponent: Pending,
});

const inbox = createRoute({
  getParentRoute: () => signedIn,
  id: "inbox",
  validateSearch: (search): { kind?: AskKind } => ({ kind: isKind(search.kind) ? search.kind : undefined }),
  component: lazyRouteComponent(() => import("./inbox"), "InboxPage"),
});
const inboxStart = createRoute({ getParentRoute: () => inbox, path: "/" });
const ask = createRoute({ getParentRoute: () => inbox, path: "/asks/$askId" });

const runs = createRoute({
  getParentRoute: () => signedIn,
  path: "/runs",
  validateSearch: (search): { status?: RunStatus; start?: string } => ({
    status: isStatus(search.status) ? search.status : undefined,
    start: text(search.start),
  }),
  component: lazyRouteComponent(() => import("./runs"), "RunsPage"),
});
const run = createRoute({
  getParentRoute: () => signedIn,
  path: "/runs/$runId",
  component: lazyRouteComponent(() => import("./run"), "RunPage"),
});
const agents = createRoute({
  getParentRoute: () => signedIn,
  path: "/agents",
  component: lazyRouteComponent(() => import("@/features/agents/AgentList"), "AgentList"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    signedIn.addChildren([inbox.addChildren([inboxStart, ask]), runs, run, agents]),
  ]),
  defaultPreload: "intent",
  defaultPendingMs: 300,
});

// A session that ended while the page was open leads to the sign-in page, and back afterwards.
queries.getQueryCache().subscribe((event) => {
  if (event.type !== "updated" || event.action.type !== "error" || !isProblem(event.action.error, 401)) return;
  const { pathname, href } = router.state.location;
  if (pathname !== "/sign-in") router.navigate({ to: "/sign-in", search: { to: href }, replace: true });
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
