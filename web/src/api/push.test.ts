import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { http } from "./client";
import { addressHere, browserWords, forgetPush, pushState, switchOnPush } from "./push";

const HERE = "https://push.test/1";
const KEYS = { p256dh: "point", auth: "secret" };
const sent: [string, unknown][] = [];
let permission: NotificationPermission;
let answer: NotificationPermission;
let current: ReturnType<typeof subscription> | null;
/** What the browser is subscribed to already. */
let keyBefore: string | null;

const subscription = () => ({
  endpoint: HERE,
  toJSON: () => ({ endpoint: HERE, keys: KEYS }),
  unsubscribe: vi.fn(async () => {
    current = null;
    keyBefore = null;
  }),
});

const pushManager = {
  getSubscription: async () => current,
  subscribe: vi.fn(async ({ applicationServerKey }: { applicationServerKey: string }) => {
    if (keyBefore !== null && keyBefore !== applicationServerKey) throw new DOMException("", "InvalidStateError");
    keyBefore = applicationServerKey;
    current = subscription();
    return current;
  }),
};

beforeEach(() => {
  permission = "granted";
  answer = "granted";
  current = null;
  keyBefore = null;
  sent.length = 0;
  const worker = { ready: Promise.resolve({ pushManager }) };
  const notification = {
    get permission() {
      return permission;
    },
    requestPermission: async () => answer,
  };
  vi.stubGlobal("navigator", { serviceWorker: worker, userAgent: "Firefox Linux" });
  vi.stubGlobal("Notification", notification);
  vi.stubGlobal("window", { PushManager: {}, Notification: notification });
  const answered = (path: string, options?: { body?: unknown }) => {
    sent.push([path, options?.body ?? null]);
    return Promise.resolve({ data: { public_key: "BKey" }, response: new Response() });
  };
  vi.spyOn(http, "GET").mockImplementation(answered as never);
  vi.spyOn(http, "POST").mockImplementation(answered as never);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  pushManager.subscribe.mockClear();
});

it("is on only where both the browser and the server know of it", async () => {
  expect(await pushState([HERE])).toBe("off");
  current = subscription();
  expect(await pushState([])).toBe("off");
  expect(await pushState([HERE])).toBe("on");
  expect(await addressHere()).toBe(HERE);
});

it("is blocked where the browser says so, and off while nobody has asked", async () => {
  current = subscription();
  permission = "denied";
  expect(await pushState([HERE])).toBe("blocked");
  permission = "default";
  expect(await pushState([HERE])).toBe("off");
});

it.each([
  ["without service workers", () => vi.stubGlobal("navigator", {})],
  ["without push", () => vi.stubGlobal("window", { Notification: {} })],
])("is not possible %s", async (_, arrange) => {
  arrange();
  expect(await pushState([])).toBe("unavailable");
  expect(await switchOnPush()).toBe(false);
});

it("is not possible where no worker comes, however long one waits", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", { serviceWorker: { ready: new Promise(() => {}) } });
  const state = pushState([]);
  await vi.runAllTimersAsync();
  expect(await state).toBe("unavailable");
  vi.useRealTimers();
});

it("is switched on with the server's key, and the server is told", async () => {
  expect(await switchOnPush()).toBe(true);
  expect(pushManager.subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: "BKey" });
  expect(sent).toEqual([
    ["/api/push/key", null],
    ["/api/push/subscriptions", { endpoint: HERE, keys: KEYS, device: "Firefox on Linux" }],
  ]);
});

it("replaces what another server's key was for", async () => {
  current = subscription();
  keyBefore = "BOther";
  expect(await switchOnPush()).toBe(true);
  expect([keyBefore, pushManager.subscribe.mock.calls.length]).toEqual(["BKey", 2]);
});

it("stays off where the person says no", async () => {
  answer = "denied";
  expect(await switchOnPush()).toBe(false);
  expect(sent).toEqual([]);
});

it("is forgotten by the browser itself, for all workspaces", async () => {
  const before = subscription();
  current = before;
  await forgetPush();
  expect(before.unsubscribe).toHaveBeenCalledOnce();
  await forgetPush();
});

it.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1",
    "Safari on iPhone",
  ],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/18.0 Safari/605.1", "Safari on Mac"],
  ["curl/8", "A browser"],
])("%s is %s", (userAgent, words) => {
  expect(browserWords(userAgent)).toBe(words);
});
