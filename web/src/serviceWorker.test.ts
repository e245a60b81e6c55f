import { beforeEach, describe, expect, it, vi } from "vitest";
import source from "../public/sw.js?raw";

type Shown = NotificationOptions & { actions?: object[]; renotify?: boolean };
const keys = { p256dh: "point", auth: "secret" };
const subscription = { toJSON: () => ({ endpoint: "https://push.test/2", expirationTime: null, keys }) };
const PAGE = new Response("<p>the app</p>", { headers: { "Content-Type": "text/html" } });

/** The worker, in a browser that remembers what was done. Without an answer there is no connection. */
function begin(answer: Response | null, windows: object[] = []) {
  const listeners = new Map<string, (event: never) => void>();
  const cache = { put: vi.fn(), match: vi.fn(async () => PAGE), addAll: vi.fn() };
  const openWindow = vi.fn();
  const before = { close: vi.fn() };
  const registration = {
    showNotification: vi.fn(async (_title: string, _options: Shown) => {}),
    getNotifications: async () => [before],
    pushManager: { subscribe: vi.fn(async () => subscription) },
  };
  const request = vi.fn(async (_path: string, _options?: RequestInit) => {
    if (!answer) throw new TypeError("no connection");
    return answer.clone();
  });
  const self = {
    location: { origin: "https://signoff.test" },
    addEventListener: (type: string, listener: (event: never) => void) => listeners.set(type, listener),
    clients: { matchAll: async () => windows, openWindow },
    registration,
  };
  const run = new Function("self", "caches", "fetch", source);
  run(self, { open: async () => cache }, request);
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
  const push = (shown: object) => happen("push", { data: { json: () => shown } });
  return { cache, openWindow, happen, visit, push, request, before, registration };
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

const ACTIONS = [
  { action: "approve", title: "Approve" },
  { action: "deny", title: "Deny" },
];
const ASK = { title: "Approve: Write a", body: "Writer", tag: "a1", url: "/asks/a1", actions: ACTIONS };
const DATA = { url: "/asks/a1", answer: { url: "/a/ans_1" } };

describe("what is pushed", () => {
  const window = (visibilityState: string, focused: boolean) => ({ visibilityState, focused });
  it("is shown with its buttons, in the place of what was there about the same ask", async () => {
    const { push, registration } = begin(PAGE, [window("hidden", false), window("visible", false)]);
    await push({ ...ASK, answer: DATA.answer });
    expect(registration.showNotification).toHaveBeenCalledWith(
      "Approve: Write a",
      expect.objectContaining({ tag: "a1", actions: ACTIONS, data: DATA, renotify: true, silent: false }),
    );
  });
  it("is not shown to whoever looks at the app, and what was shown before goes away", async () => {
    const { push, registration, before } = begin(PAGE, [window("visible", true)]);
    await push(ASK);
    expect(registration.showNotification).not.toHaveBeenCalled();
    expect(before.close).toHaveBeenCalledOnce();
  });
  it("changes without a sound once somebody has decided", async () => {
    const { push, registration } = begin(PAGE);
    await push({ title: "Approve: Write a", body: "Approved by Ana", tag: "a1", url: "/asks/a1", silent: true });
    const [, options] = registration.showNotification.mock.calls[0] ?? [];
    expect(options).toMatchObject({ body: "Approved by Ana", silent: true, renotify: false });
    expect(options?.actions).toBeUndefined();
  });
  it("says at least whose it is", async () => {
    const { happen, registration } = begin(PAGE);
    await happen("push", { data: null });
    expect(registration.showNotification).toHaveBeenCalledWith("Signoff", expect.anything());
  });
});

describe("a button on a notification", () => {
  const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status });
  const press = { action: "approve", notification: { ...ASK, close: () => {}, data: DATA } };
  it("decides by the answer link alone, and the outcome takes its place", async () => {
    const { happen, registration, request, openWindow } = begin(json({ ok: true, text: "Approved by Ana" }));
    await happen("notificationclick", press);
    const [path, options] = request.mock.calls[0] ?? [];
    expect([path, options?.method, options?.credentials, String(options?.body)]).toEqual([
      "/a/ans_1",
      "POST",
      "omit",
      "decision=approve",
    ]);
    expect(options?.headers).toEqual({ Accept: "application/json" });
    const [title, shown] = registration.showNotification.mock.calls[0] ?? [];
    expect([title, shown?.body, shown?.tag, shown?.silent]).toEqual([ASK.title, "Approved by Ana", "a1", true]);
    expect(shown?.actions).toBeUndefined();
    expect(openWindow).not.toHaveBeenCalled();
  });
  it("says why it could not, and leads to the ask", async () => {
    const { happen, registration } = begin(json({ ok: false, text: "This link was used already." }, 409));
    await happen("notificationclick", press);
    const [, shown] = registration.showNotification.mock.calls[0] ?? [];
    expect(shown?.body).toBe("Could not decide: This link was used already. Open it.");
    expect([shown?.data, shown?.actions]).toEqual([{ url: "/asks/a1" }, undefined]);
  });
  it.each([null, new Response("<p>Bad gateway</p>", { status: 502 })])("stays without an answer", async (answer) => {
    const { happen, registration } = begin(answer);
    await happen("notificationclick", press);
    const [, shown] = registration.showNotification.mock.calls[0] ?? [];
    expect(shown?.body).toMatch(/^Could not decide: the server does not answer/);
    expect([shown?.data, shown?.actions]).toEqual([DATA, ACTIONS]);
  });
  it("opens the ask where it cannot decide", async () => {
    const { happen, openWindow } = begin(PAGE);
    await happen("notificationclick", { ...press, notification: { ...press.notification, data: { url: "/asks/a1" } } });
    expect(openWindow).toHaveBeenCalledWith("/asks/a1");
  });
});

describe("a new address of the browser", () => {
  const known = () => new Response(JSON.stringify({ public_key: "BKey" }));
  it("is told to the server, subscribed to its key", async () => {
    const { happen, request, registration } = begin(known());
    await happen("pushsubscriptionchange", { newSubscription: null });
    const wanted = { userVisibleOnly: true, applicationServerKey: "BKey" };
    expect(registration.pushManager.subscribe).toHaveBeenCalledWith(wanted);
    const [path, options] = request.mock.calls[1] ?? [];
    expect([path, options?.body]).toEqual([
      "/api/push/subscriptions",
      JSON.stringify({ endpoint: "https://push.test/2", keys }),
    ]);
  });
  it("is nobody's once they have signed out", async () => {
    const { happen, registration } = begin(new Response("{}", { status: 401 }));
    await happen("pushsubscriptionchange", { newSubscription: null });
    expect(registration.pushManager.subscribe).not.toHaveBeenCalled();
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
