import { http } from "./client";

// The server believes it for a little longer.
const EACH_MS = 60_000;
// Who goes from one tab to the next leaves and comes at the same moment: coming is said last.
const SOON_MS = 500;
/** Where a tab that is left says so to the others of this browser. */
const LEFT = "signoff.left";

/** Tell the server while somebody has this page before them, so that messages elsewhere wait a little. */
export function showPresence(): () => void {
  let first: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setInterval> | undefined;
  let told = false;
  const tell = (visible: boolean) => {
    told = visible;
    // Nobody needs to know when this fails.
    http.POST("/api/me/presence", { body: { visible }, keepalive: !visible }).catch(() => {});
  };
  const stop = () => {
    clearTimeout(first);
    clearInterval(again);
  };
  const come = () => {
    stop();
    first = setTimeout(tell, SOON_MS, true);
    again = setInterval(tell, EACH_MS, true);
  };
  const leave = () => {
    stop();
    if (!told) return;
    tell(false);
    localStorage.setItem(LEFT, String(Date.now()));
  };
  const look = () => (document.hidden ? leave() : come());
  const onLeft = ({ key }: StorageEvent) => {
    // Two windows may be open side by side: whoever left one has the other.
    if (key === LEFT && !document.hidden) come();
  };
  look();
  document.addEventListener("visibilitychange", look);
  window.addEventListener("pagehide", leave);
  window.addEventListener("storage", onLeft);
  return () => {
    stop();
    document.removeEventListener("visibilitychange", look);
    window.removeEventListener("pagehide", leave);
    window.removeEventListener("storage", onLeft);
  };
}
