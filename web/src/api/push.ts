import { http } from "./client";

/** Whether this browser gets what is for its person also while Signoff is closed, or why it cannot. */
export type PushState = "on" | "off" | "blocked" | "unavailable";

const WORKER_MS = 3_000;

/** Only https and localhost have service workers; some browsers have no push, and some only as an installed app. */
async function manager(): Promise<PushManager | null> {
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return null;
  // At the first visit the worker comes a moment after the page; where it could not be installed it never does.
  const never = new Promise<null>((resolve) => setTimeout(resolve, WORKER_MS, null));
  return (await Promise.race([navigator.serviceWorker.ready, never]))?.pushManager ?? null;
}

/** The address of this browser at its push service, if it has one. */
export async function addressHere(): Promise<string | null> {
  return (await (await manager())?.getSubscription())?.endpoint ?? null;
}

/** Of the addresses that the server knows. It is on only if the browser knows it, too: either may have forgotten. */
export async function pushState(known: string[]): Promise<PushState> {
  if (!(await manager())) return "unavailable";
  if (Notification.permission === "denied") return "blocked";
  const here = await addressHere();
  return Notification.permission === "granted" && here && known.includes(here) ? "on" : "off";
}

/** Subscribe this browser. Somebody who has not decided is asked by the browser; false: they said no. */
export async function switchOnPush(): Promise<boolean> {
  const pushes = await manager();
  if (!pushes || (await Notification.requestPermission()) !== "granted") return false;
  const { data } = await http.GET("/api/push/key");
  const { endpoint, keys } = (await subscribed(pushes, data?.public_key ?? "")).toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) throw new Error("The browser gave no address for push. Try again.");
  const body = { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth }, device: browserWords(navigator.userAgent) };
  await http.POST("/api/push/subscriptions", { body });
  return true;
}

async function subscribed(pushes: PushManager, applicationServerKey: string): Promise<PushSubscription> {
  const wanted = { userVisibleOnly: true, applicationServerKey };
  try {
    return await pushes.subscribe(wanted);
  } catch (problem) {
    // It was subscribed with another key, of a server that was here before.
    const before = await pushes.getSubscription();
    if (!before || !(problem instanceof DOMException) || problem.name !== "InvalidStateError") throw problem;
    await before.unsubscribe();
    return pushes.subscribe(wanted);
  }
}

/** Whoever comes to this browser next gets nothing that was for its person, whichever workspace it is from. */
export async function forgetPush(): Promise<void> {
  const subscription = await (await manager())?.getSubscription();
  await subscription?.unsubscribe();
}

const BROWSERS: [RegExp, string][] = [
  [/Edg/, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox|FxiOS/, "Firefox"],
  [/Chrom|CriOS/, "Chrome"],
  [/Safari/, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "Mac"],
  [/Linux/, "Linux"],
];

/** "Firefox on Linux": enough to know one's devices apart. */
export function browserWords(userAgent: string): string {
  const found = (names: [RegExp, string][]): string | undefined => names.find(([sign]) => sign.test(userAgent))?.[1];
  const browser = found(BROWSERS) ?? "A browser";
  const system = found(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}
