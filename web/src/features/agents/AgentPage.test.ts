// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { api } from "@/api/client";
import { AgentPage } from "./AgentPage";

type LinkProps = { to: string; search?: object; children?: unknown };

vi.mock("@tanstack/react-router", () => ({
  Link: ({ to, search, children }: LinkProps) =>
    createElement("a", { href: to, "data-search": JSON.stringify(search) }, children as string),
}));
vi.mock("@/api/roles", () => ({ useMay: () => false, needsWords: () => "" }));
vi.mock("@/ui/models/ModelWarning", () => ({ ModelWarning: () => null }));
vi.mock("./form/AgentForm", () => ({ AgentForm: () => null }));

it("an agent's page leads to what this agent has made", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  const agent = { slug: "clerk", name: "Clerk", revision: 1 };
  vi.spyOn(api, "useQuery").mockReturnValue({ data: agent } as never);
  const page = document.createElement("div");
  const root = createRoot(page);
  const shown = createElement(AgentPage, { slug: "clerk" });
  await act(() => root.render(createElement(MantineProvider, { env: "test" }, shown)));
  const link = page.querySelector("a[href='/deliverables']");
  expect(link?.textContent).toBe("Deliverables");
  expect(link?.getAttribute("data-search")).toBe('{"agent":"clerk"}');
  await act(() => root.unmount());
  vi.restoreAllMocks();
});
