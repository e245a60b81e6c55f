import { beforeEach, describe, expect, it, vi } from "vitest";
import source from "../public/sw.js?raw";

const PAGE = new Response("<p>the app</p>", { headers: { "Content-Type": "text/html" } });

/** The worker, in a browser that remembers what was done. */
function begin(answer: Response, windows: object[] = []) {
  const listeners = new Map<string, (event: never) => void>();
  const cache = { put: vi.fn(), match: vi.fn(async () => PAGE), addAll: vi.fn() };
  const openWindow = vi.fn();
  const self = {
    location: { origin: "https://signoff.test" },
    addEventListener: (type: string, listener: (event: never) => void) => listeners.set(type, listener),
    clients: { matchAll: async () => windows, openWindow },
  };
  const run = new Function("self", "caches", "fetch", source);
  run(self, { open: async () => cache }, async () => answer);
  const happen = async (type: string, event: object) => {
    let work: unknown;
    const hold = (promise: unknown) => {
      work = promise;
    };
    listeners.get(type)?.({ ...event, respondWith: hold, waitUntil: hold } as never);
    return work as Promise<Response | undefined> | undefined;
  };
  const visit = (path: string) =>
    happen("fetch", { request: { method: "GET", mode: "navigate", url: `https://signoff.test${path}` } });
  return { cache, openWindow, happen, visit };
}

describe("the page that is kept for later", () => {
  const html = () => new Response("<p>new</p>", { headers: { "Content-Type": "text/html; charset=utf-8" } });
  it.each(["/", "/inbox", "/asks/a1", "/runs/r1", "/settings"])("comes from %s", async (path) => {
    const { cache, visit } = begin(html());
    await visit(path);
    expect(cache.put).toHaveBeenCalledOnce();
  });
  it.each(["/metrics", "/openapi.json", "/healthz", "/docs", "/a/token", "/mcp", "/api/asks"])(
    "is neither taken from %s nor given there",
    async (path) => {
      const { visit } = begin(html());
      expect(await visit(path)).toBeUndefined();
    },
  );
  it("is HTML", async () => {
    const { cache, visit } = begin(new Response("{}", { headers: { "Content-Type": "application/json" } }));
    await visit("/inbox");
    expect(cache.put).not.toHaveBeenCalled();
  });
});

describe("a click on a notification", () => {
  const click = { notification: { close: () => {}, data: { url: "/asks/a1" } } };
  const tab = (visibilityState: string) => ({
    visibilityState,
    focus: vi.fn(),
    postMessage: vi.fn(),
    navigate: vi.fn(),
  });
  let hidden: ReturnType<typeof tab>;
  let visible: ReturnType<typeof tab>;
  beforeEach(() => {
    hidden = tab("hidden");
    visible = tab("visible");
  });
  it("asks a tab that is open to go there, without loading it anew", async () => {
    const { happen, openWindow } = begin(PAGE, [hidden, visible]);
    await happen("notificationclick", click);
    expect(visible.postMessage).toHaveBeenCalledWith({ open: "/asks/a1" });
    expect([visible.navigate, hidden.postMessage, openWindow].every((act) => act.mock.calls.length === 0)).toBe(true);
  });
  it("opens a window only where there is none", async () => {
    const { happen, openWindow } = begin(PAGE);
    await happen("notificationclick", click);
    expect(openWindow).toHaveBeenCalledWith("/asks/a1");
  });
});
