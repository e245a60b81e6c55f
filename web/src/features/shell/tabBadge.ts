import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { PAGES } from "./pages";

const MARK =
  '<path d="M8 17.2l5.2 5.3L24 10.8" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/>';

/** The icon of the tab, with how much waits. */
export function iconWith(count: number): string {
  if (count === 0) return "/favicon.svg";
  const text = count > 9 ? "9+" : String(count);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6b55"/>${MARK}<circle cx="22.5" cy="9.5" r="9.5" fill="#d92d20"/><text x="22.5" y="14" font-family="system-ui,sans-serif" font-size="${count > 9 ? 11 : 13}" font-weight="700" fill="#fff" text-anchor="middle">${text}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** What the tab is called: how much waits, and which page it shows. */
export function titleFor(path: string, open: number): string {
  const first = `/${path.split("/")[1] ?? ""}`;
  const page = PAGES.find(({ to }) => to === (first === "/asks" ? "/inbox" : first));
  return `${open > 0 ? `(${open}) ` : ""}${page ? `${page.label} · ` : ""}Signoff`;
}

/** Say in the tab and on the app's icon how much waits. */
export function useTabBadge(open: number): void {
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => {
    document.title = titleFor(path, open);
  }, [path, open]);
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute("href", iconWith(open));
    const app = navigator as Navigator & { setAppBadge?: (count: number) => Promise<void> };
    // Only an installed app has one.
    app.setAppBadge?.(open).catch(() => {});
  }, [open]);
}
