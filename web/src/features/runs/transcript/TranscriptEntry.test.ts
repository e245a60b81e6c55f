// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import type { Message } from "@/api/types";
import { OneEntry } from "./TranscriptEntry";

vi.mock("@/api/memberNames", () => ({ useMemberNames: () => (email: string) => email }));
vi.mock("@/ui/text/Prose", () => ({ Prose: ({ text }: { text: string }) => text }));
vi.mock("@/ui/time/clock", () => ({ Ago: () => null }));

const entry = (text: string, for_agent: boolean) => {
  const message = { id: text, role: "system", text, for_agent, created_at: "2026-01-01T10:00:00Z" } as Message;
  return createElement(OneEntry, {
    key: text,
    entry: { id: text, type: "message", message } as never,
    asks: new Map(),
  });
};

it("what Signoff tells the model alone is folded away, and what it tells people is not", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const page = document.createElement("div");
  const root = createRoot(page);
  await act(() => root.render([entry("Go on.", true), entry("The run was paused.", false)]));
  expect(page.querySelector("details:not([open])")?.textContent).toContain("Go on.");
  expect(page.querySelector("[data-role=system]")?.textContent).toContain("The run was paused.");
  expect(page.querySelector("[data-role=system]")?.textContent).not.toContain("Go on.");
  await act(() => root.unmount());
});

it("where the conversation was shortened a line says so, with the summary folded away", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const page = document.createElement("div");
  const root = createRoot(page);
  const compaction = { cleared_before: 9, summarized_before: 9, summary: "I looked around." };
  const message = { id: "c", role: "system", text: "The conversation got long.", compaction };
  await act(() =>
    root.render(createElement(OneEntry, { entry: { id: "c", type: "message", message } as never, asks: new Map() })),
  );
  expect(page.querySelector("[data-testid=shortened]")?.textContent).toContain("The conversation got long.");
  expect(page.querySelector("details:not([open])")?.textContent).toContain("I looked around.");
  await act(() => root.unmount());
});
