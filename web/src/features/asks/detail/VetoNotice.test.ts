// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import type { Ask } from "@/api/types";
import { VetoNotice } from "./VetoNotice";

const veto = { seconds: 600, left: 360, reached_at: "2026-01-01T10:00:00Z", suspended: false };

function said(given: Partial<Ask>): string {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const page = document.createElement("div");
  const root = createRoot(page);
  const ask = { status: "pending", runs_at: null, veto, ...given } as Ask;
  act(() => root.render(createElement(VetoNotice, { ask })));
  const shown = page.innerHTML;
  act(() => root.unmount());
  return shown;
}

it("counts down while its time counts", () => {
  expect(said({ runs_at: "2026-01-01T10:10:00Z" })).toContain("<time");
});

it("says that its time is suspended, and what will be left, instead of a countdown", () => {
  const suspended = said({ veto: { ...veto, suspended: true } });
  expect(suspended).toContain("is suspended");
  expect(suspended).toContain("6m will be left");
  expect(suspended).not.toContain("<time");
});

it("says how long it will be where nobody was reached", () => {
  expect(said({ veto: { ...veto, left: 40, reached_at: null } })).toContain("40s after someone");
});
