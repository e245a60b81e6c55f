/** Let the app open without a connection, and from a notification. Only https and localhost have service workers. */
export function registerWorker(open: (path: string) => void): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (typeof data?.open === "string") open(data.open);
  });
  window.addEventListener("load", async () => {
    try {
      await navigator.serviceWorker.register("/sw.js");
      const { active } = await navigator.serviceWorker.ready;
      // What came before the worker did has to be told to it.
      const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
      active?.postMessage({ keep: loaded.filter((path) => path.startsWith("/assets/")) });
    } catch {
      // Without it everything works, but not offline.
    }
  });
}
