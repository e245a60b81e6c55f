// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { http, queries } from "@/api/client";
import { Problem } from "@/api/problems";
import type { Agent, NeededConnection } from "@/api/types";
import { StartRunForm } from "./StartRunForm";

vi.mock("@tanstack/react-router", () => ({
  Link: ({ to, target, children }: { to: string; target?: string; children?: unknown }) =>
    createElement("a", { href: to, target }, children as string),
  useNavigate: () => () => {},
  useRouter: () => ({ preloadRoute: () => {} }),
}));
vi.mock("@/api/roles", () => ({ useMay: () => true }));
vi.mock("@/ui/models/ModelWarning", () => ({ ModelWarning: () => null }));
vi.mock("./AgentGallery", () => ({ AgentGallery: () => null }));

const LIMITS = { max_iterations: 50, max_cost_credits: 5, max_duration_hours: 1 };
const CLERK = { slug: "clerk", name: "Clerk", autonomy: "full", mode: "auto", limits: LIMITS, example_tasks: ["Go"] };
const TICKETS: NeededConnection = {
  slug: "tickets",
  required: true,
  reason: "to look them up",
  tools: null,
  available: false,
};
const REFUSED = new Problem(
  422,
  "Clerk needs connections that are missing or switched off: tickets.",
  "connections_missing",
  [{ path: "connections.tickets", message: "to look them up" }],
);

const page = document.body.appendChild(document.createElement("div"));
let root: Root;
let needed: NeededConnection[];
/** What was sent to start a run. */
let sent: Record<string, unknown>[];

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  Object.assign(document, { fonts: { addEventListener() {}, removeEventListener() {} } });
  sent = [];
  vi.spyOn(http, "GET").mockImplementation((async () => {
    const missing = needed.filter(({ required }) => required).map(({ slug }) => slug);
    return { data: { needed, missing, others: [] }, response: new Response() };
  }) as never);
  vi.spyOn(http, "POST").mockImplementation((async (_: string, { body }: { body: Record<string, unknown> }) => {
    sent.push(body);
    if (!body.without_missing_connections) throw REFUSED;
    return { data: { id: "r1" }, response: new Response() };
  }) as never);
});

afterEach(async () => {
  await act(() => root.unmount());
  queries.clear();
  vi.restoreAllMocks();
});

/** Answers come in after a moment. */
const until = (expected: () => void) =>
  vi.waitFor(async () => {
    await act(async () => new Promise((resolve) => setTimeout(resolve)));
    expected();
  });

async function show() {
  root = createRoot(page);
  const form = createElement(StartRunForm, { agents: [CLERK as unknown as Agent], first: "clerk" });
  const inQueries = createElement(QueryClientProvider, { client: queries }, form);
  await act(() => root.render(createElement(MantineProvider, { env: "test" }, inQueries)));
  await until(() => expect(page.querySelector("fieldset")).not.toBeNull());
  await press("Go");
}

const press = (name: string) =>
  act(async () => [...page.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click());
const box = () => page.querySelector<HTMLInputElement>("fieldset input[type=checkbox]");

it("a run is not started without what its agent cannot do without, until somebody says so", async () => {
  needed = [TICKETS];
  await show();
  expect(page.querySelector("fieldset")?.textContent).toContain("tickets (required, not set up): to look them up");
  await press("Start");
  await until(() => expect(page.querySelector("[role=alert]")?.textContent).toContain("to look them up"));
  expect(page.querySelector("[role=alert] a[href='/connections']")?.getAttribute("target")).toBe("_blank");
  expect(page.querySelector("textarea")?.value).toBe("Go");
  await act(async () => box()?.click());
  expect(page.querySelector("[role=alert]")).toBeNull();
  await press("Start");
  await until(() => expect(sent.map((body) => body.without_missing_connections)).toEqual([false, true]));
});

it("what an agent can do without is said and asks for nothing", async () => {
  needed = [{ ...TICKETS, required: false }];
  await show();
  expect(page.querySelector("fieldset")?.textContent).toContain("tickets (optional, not set up): to look them up");
  expect(box()).toBeNull();
});

it("who said to start without one thing has not said so of another that is missing since", async () => {
  needed = [TICKETS];
  await show();
  await act(async () => box()?.click());
  needed = [TICKETS, { ...TICKETS, slug: "crm" }];
  await act(() => queries.refetchQueries());
  await until(() => expect(page.querySelector("fieldset")?.textContent).toContain("crm (required"));
  expect(box()?.checked).toBe(false);
});
