import { wantsNotifications } from "@/api/preferences";
import type { Ask } from "@/api/types";
import { askOrigin } from "@/ui/domain/askOrigin";
import { visibleText } from "@/ui/text/deceptiveText";

const SHOWN = "signoff.shown";
// A visible tab gets the event at the same time and speaks first.
const OTHERS_FIRST_MS = 400;

const permission = (): NotificationPermission | null => ("Notification" in window ? Notification.permission : null);
export const couldAsk = (): boolean => permission() === "default";

/** This page has brought the ask before somebody's eyes. */
export const shownHere = (askId: string): void => localStorage.setItem(SHOWN, askId);

/** A notification of the browser, unless another tab has shown the ask. */
export function notifyLater(ask: Ask): void {
  if (permission() !== "granted") return;
  setTimeout(async () => {
    if (localStorage.getItem(SHOWN) === ask.id || !(await wantsNotifications())) return;
    const options = {
      body: visibleText([askOrigin(ask), ask.run_title].filter(Boolean).join(" · ")),
      tag: ask.id,
      icon: "/icon-192.png",
    };
    const title = visibleText(ask.title);
    const worker = await navigator.serviceWorker?.getRegistration();
    // What was pushed is there already, with its buttons.
    if (worker && (await worker.getNotifications({ tag: ask.id })).length > 0) return;
    if (worker) return worker.showNotification(title, { ...options, data: { url: `/asks/${ask.id}` } });
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      location.assign(`/asks/${ask.id}`);
    };
  }, OTHERS_FIRST_MS);
}
