import type { NotificationData } from "@mantine/notifications";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useSyncExternalStore } from "react";
import { wordsOf } from "@/api/problems";

interface Told {
  title?: string;
  message: ReactNode;
  tone?: "good" | "warn" | "info";
  /** Until it is closed. */
  stays?: boolean;
  /** The ask that it is about. */
  to?: string;
}

const COLORS = { good: "pine", warn: "yellow.8", info: "blue" };

let wanted = false;
const listeners = new Set<() => void>();

/** Toasts are loaded with the first of them: no page needs them to be shown. */
function toasts() {
  wanted = true;
  for (const listener of listeners) listener();
  return import("./Toasts");
}

const Toasts = lazy(() => import("./Toasts"));

/** The place where toasts appear. */
export function ToastPlace() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => wanted,
  );
  return <Suspense>{shown && <Toasts />}</Suspense>;
}

export const showToast = (toast: NotificationData): Promise<unknown> =>
  toasts().then(({ notifications }) => notifications.show(toast));
export const hideToast = (id: string): void => {
  if (wanted) toasts().then(({ notifications }) => notifications.hide(id));
};

export function told({ title, message, tone = "good", stays = false, to }: Told): void {
  const id = `${to ?? ""}-${Date.now()}`;
  const link = to && (
    <Link to="/asks/$askId" params={{ askId: to }} onClick={() => hideToast(id)}>
      Show it
    </Link>
  );
  showToast({
    id,
    title,
    message: (
      <>
        {message} {link}
      </>
    ),
    color: COLORS[tone],
    autoClose: stays ? false : 5000,
  });
}

export function said(message: string): void {
  showToast({ message, color: "pine", autoClose: 4000 });
}

export function failed(error: unknown): void {
  showToast({ title: "That did not work", message: wordsOf(error), color: "red", autoClose: 9000 });
}
