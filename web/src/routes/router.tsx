import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { queries } from "@/api/client";
import { identityOf } from "@/api/identity";
import { startLive, stopLive } from "@/api/live/useLive";
import { meQuery } from "@/api/me";
import { isProblem } from "@/api/problems";
import { type AgentTab, isAgentTab } from "@/features/agents/agentTabs";
import { inboxSearch, isPlain, keptSearch } from "@/features/asks/inbox/inboxSearch";
import type { AuditFilters } from "@/features/audit/auditFilters";
import { connectionsSearch } from "@/features/connections/connection/connectionsSearch";
import type { DeliverableFilters } from "@/features/deliverables/deliverableFilters";
import { isTab, type RulesTab } from "@/features/rules/rulesTabs";
import { runSearch } from "@/features/runs/list/runFilters";
import { channelsSearch } from "@/features/settings/channels/channel/channelsSearch";
import { isSection, type SettingsSearch } from "@/features/settings/settingsSections";
import { textIn } from "@/ui/list/searchParam";
import { Broken, Missing, Pending, Root } from "./fallbacks/fallbacks";

const root = createRootRoute({ component: Root, notFoundComponent: Missing, errorComponent: Broken });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search): { token?: string; to?: string } => ({ token: textIn(search.token), to: textIn(search.to) }),
  component: lazyRouteComponent(() => import("./session/signIn"), "SignInPage"),
});

/** Everything but signing in needs somebody who is signed in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async ({ location }) => {
    try {
      startLive(identityOf(await queries.ensureQueryData(meQuery())));
    } catch (error) {
      stopLive();
      if (isProblem(error, 401)) throw redirect({ to: "/sign-in", search: { to: location.href }, replace: true });
      throw error;
    }
  },
  component: lazyRouteComponent(() => import("./session/signedIn"), "SignedIn"),
  pendingComponent: Pending,
});

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  component: lazyRouteComponent(() => import("./dashboard"), "DashboardPage"),
});

const inbox = createRoute({
  getParentRoute: () => signedIn,
  id: "inbox",
  validateSearch: inboxSearch,
  component: lazyRouteComponent(() => import("./inbox"), "InboxPage"),
});
const inboxStart = createRoute({
  getParentRoute: () => inbox,
  path: "/inbox",
  beforeLoad: async ({ search }) => {
    const me = await queries.ensureQueryData(meQuery());
    const kept = isPlain(search) ? keptSearch(identityOf(me)) : {};
    if (!isPlain(kept)) throw redirect({ to: "/inbox", search: kept, replace: true });
  },
});
const ask = createRoute({ getParentRoute: () => inbox, path: "/asks/$askId" });

const welcome = createRoute({
  getParentRoute: () => signedIn,
  path: "/welcome",
  component: lazyRouteComponent(() => import("@/features/session/WelcomePage"), "WelcomePage"),
});

const notices = createRoute({
  getParentRoute: () => signedIn,
  path: "/notices",
  validateSearch: (search): { show?: "unread" } => ({ show: search.show === "unread" ? "unread" : undefined }),
  component: lazyRouteComponent(() => import("./notices"), "NoticesPage"),
});

const runs = createRoute({
  getParentRoute: () => signedIn,
  path: "/runs",
  validateSearch: runSearch,
  component: lazyRouteComponent(() => import("./runs"), "RunsPage"),
});
const run = createRoute({
  getParentRoute: () => signedIn,
  path: "/runs/$runId",
  // Where a message about a failed run leads.
  validateSearch: (search): { action?: "retry" } => ({ action: search.action === "retry" ? "retry" : undefined }),
  component: lazyRouteComponent(() => import("./run"), "RunPage"),
});
/** As seed 001 writes it. */
const execution = createRoute({
  getParentRoute: () => signedIn,
  path: "/executions/$runId",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/runs/$runId", params, replace: true });
  },
});
const agents = createRoute({
  getParentRoute: () => signedIn,
  path: "/agents",
  component: lazyRouteComponent(() => import("@/features/agents/AgentList"), "AgentList"),
});
const newAgent = createRoute({
  getParentRoute: () => signedIn,
  path: "/agents/new",
  component: lazyRouteComponent(() => import("./agent"), "NewAgentPage"),
});
const agent = createRoute({
  getParentRoute: () => signedIn,
  path: "/agents/$slug",
  validateSearch: (search): { tab?: AgentTab } => ({ tab: isAgentTab(search.tab) ? search.tab : undefined }),
  component: lazyRouteComponent(() => import("./agent"), "AgentPage"),
});
const workflows = createRoute({
  getParentRoute: () => signedIn,
  path: "/workflows",
  component: lazyRouteComponent(() => import("@/features/workflows/WorkflowList"), "WorkflowList"),
});
const workflow = createRoute({
  getParentRoute: () => signedIn,
  path: "/workflows/$slug",
  validateSearch: (search): { new?: true } => ({ new: search.new ? true : undefined }),
  component: lazyRouteComponent(() => import("./workflow"), "WorkflowPage"),
});
const rules = createRoute({
  getParentRoute: () => signedIn,
  path: "/rules",
  validateSearch: (search): { tab?: RulesTab; rule?: string } => ({
    tab: isTab(search.tab) ? search.tab : undefined,
    rule: textIn(search.rule),
  }),
  component: lazyRouteComponent(() => import("./rules"), "RulesPage"),
});

const deliverables = createRoute({
  getParentRoute: () => signedIn,
  path: "/deliverables",
  validateSearch: (search): DeliverableFilters => ({
    type: textIn(search.type),
    agent: textIn(search.agent),
    status: textIn(search.status),
    period: textIn(search.period),
    run: textIn(search.run),
    view: textIn(search.view),
  }),
  component: lazyRouteComponent(() => import("./deliverables"), "DeliverablesPage"),
});
const knowledge = createRoute({
  getParentRoute: () => signedIn,
  path: "/knowledge",
  validateSearch: (search): { q?: string; view?: string } => ({ q: textIn(search.q), view: textIn(search.view) }),
  component: lazyRouteComponent(() => import("./knowledge"), "KnowledgePage"),
});
const connections = createRoute({
  getParentRoute: () => signedIn,
  path: "/connections",
  validateSearch: connectionsSearch,
  component: lazyRouteComponent(() => import("./connections"), "ConnectionsPage"),
});
const schedules = createRoute({
  getParentRoute: () => signedIn,
  path: "/schedules",
  component: lazyRouteComponent(() => import("@/features/schedules/SchedulesPage"), "SchedulesPage"),
});
const audit = createRoute({
  getParentRoute: () => signedIn,
  path: "/audit",
  validateSearch: (search): AuditFilters => ({
    actor: textIn(search.actor),
    action: textIn(search.action),
    subject: textIn(search.subject),
    run: textIn(search.run),
    period: textIn(search.period),
  }),
  component: lazyRouteComponent(() => import("./audit"), "AuditPage"),
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings",
  validateSearch: (search): SettingsSearch => ({
    section: isSection(search.section) ? search.section : undefined,
    ...channelsSearch(search),
  }),
  component: lazyRouteComponent(() => import("./settings"), "SettingsPage"),
});

/** What is nowhere else stands in the frame, with its navigation. */
const missing = createRoute({ getParentRoute: () => signedIn, path: "$", component: Missing });

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    signedIn.addChildren([
      dashboard,
      inbox.addChildren([inboxStart, ask]),
      welcome,
      notices,
      runs,
      run,
      execution,
      agents,
      newAgent,
      agent,
      workflows,
      workflow,
      deliverables,
      knowledge,
      connections,
      schedules,
      rules,
      audit,
      settings,
      missing,
    ]),
  ]),
  defaultPreload: "intent",
  defaultPendingMs: 300,
});

// A session that ended while the page was open leads to the sign-in page, and back afterwards.
queries.getQueryCache().subscribe((event) => {
  if (event.type !== "updated" || event.action.type !== "error" || !isProblem(event.action.error, 401)) return;
  if (event.query.meta?.unasked) return;
  const { pathname, href } = router.state.location;
  if (pathname !== "/sign-in") router.navigate({ to: "/sign-in", search: { to: href }, replace: true });
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
