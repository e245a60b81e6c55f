// Lets the app open without a connection. What the server says is never kept: only the app's own files are.
const CACHE = "signoff-3";
const PAGE = "/";
const MOST_FILES = 120;
// The server has other pages as well: they are neither the app nor to be replaced by it.
const PLACES = "inbox asks notices runs agents workflows schedules deliverables knowledge connections rules audit"
  .split(" ")
  .concat("", "settings", "welcome", "sign-in");
const isOfApp = (path) => PLACES.includes(path.split("/")[1]);
const isHtml = (response) => (response.headers.get("Content-Type") ?? "").startsWith("text/html");

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([PAGE, "/color-scheme.js", "/favicon.svg"])));
});

self.addEventListener("activate", (event) => {
  const clean = async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

self.addEventListener("message", (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHE);
    for (const path of event.data.keep ?? []) if (!(await cache.match(path))) await cache.add(path).catch(() => {});
  };
  event.waitUntil(keep());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate" && isOfApp(pathname)) event.respondWith(page(request));
  else if (pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (pathname === "/color-scheme.js" || pathname === "/favicon.svg") event.respondWith(fresh(request));
});

/** The newest page when the server answers, else the one from before. */
async function page(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok && isHtml(response)) await cache.put(PAGE, response.clone());
    if (response.status < 500) return response;
    throw new Error("the server is not ready");
  } catch {
    return (await cache.match(PAGE)) ?? Response.error();
  }
}

/** The names of these files carry a hash of their content: what is here is right. */
async function asset(request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(request);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok) {
    await cache.put(request, response.clone());
    const files = (await cache.keys()).filter(({ url }) => url.includes("/assets/"));
    for (const old of files.slice(0, Math.max(0, files.length - MOST_FILES))) await cache.delete(old);
  }
  return response;
}

async function fresh(request) {
  return fetch(request).catch(async () => (await (await caches.open(CACHE)).match(request)) ?? Response.error());
}

self.addEventListener("push", (event) => event.waitUntil(announce(event.data?.json() ?? {})));

/** Whoever looks at the app sees it there: then only what is no longer true goes away. */
async function announce({ title = "Signoff", tag = "signoff", silent = false, actions, body, url, answer }) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (windows.some(({ focused, visibilityState }) => focused && visibilityState === "visible")) {
    for (const before of await self.registration.getNotifications({ tag })) before.close();
    return;
  }
  await show(title, { body, tag, silent, renotify: !silent, actions, data: { url, answer } });
}

const show = (title, options) => self.registration.showNotification(title, { icon: "/icon-192.png", ...options });

self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  const { url = "/inbox", answer } = notification.data ?? {};
  event.waitUntil(action && answer ? decide(notification, action, url, answer) : open(url));
});

async function open(url) {
  const windows = await self.clients.matchAll({ type: "window" });
  const window = windows.find(({ visibilityState }) => visibilityState === "visible") ?? windows[0];
  if (!window) return self.clients.openWindow(url);
  await window.focus();
  // The page goes there by itself: loading it anew would lose what somebody is writing.
  return window.postMessage({ open: url });
}

/** By the answer link alone, as anybody who got it would. What came of it takes the place of the buttons. */
async function decide({ title, tag, actions }, decision, url, answer) {
  const body = new URLSearchParams(answer.forms?.[decision] ?? { decision });
  const asked = { method: "POST", body, headers: { Accept: "application/json" }, credentials: "omit" };
  const said = await fetch(answer.url, asked)
    .then((response) => response.json())
    .catch(() => null);
  if (said?.ok) return show(title, { body: said.text, tag, silent: true, data: { url } });
  const problem = `Could not decide: ${said?.text ?? "the server does not answer."} Open it.`;
  // Without an answer nothing is known, and it can be tried once more.
  const again = said ? {} : { actions, data: { url, answer } };
  return show(title, { body: problem, tag, renotify: true, data: { url }, ...again });
}

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event.newSubscription)));

/** The browser was given another address. Who has signed out since is not subscribed again. */
async function renew(made) {
  const known = await fetch("/api/push/key");
  if (!known.ok) return;
  const { public_key } = await known.json();
  const wanted = { userVisibleOnly: true, applicationServerKey: public_key };
  const { endpoint, keys } = (made ?? (await self.registration.pushManager.subscribe(wanted))).toJSON();
  const headers = { "Content-Type": "application/json" };
  await fetch("/api/push/subscriptions", { method: "POST", headers, body: JSON.stringify({ endpoint, keys }) });
}
