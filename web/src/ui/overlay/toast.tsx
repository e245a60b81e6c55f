import { Button, CloseButton } from "@mantine/core";
import type { NotificationData } from "@mantine/notifications";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useSyncExternalStore } from "react";
import { Problem, wordsOf } from "@/api/problems";

interface Notice {
  title?: string;
  message: ReactNode;
  tone?: "good" | "warn" | "info";
  /** Until it is closed. */
  stays?: boolean;
  /** The ask that it is about. */
  to?: string;
  /** What can be done about it, once. */
  action?: { label: string; onClick: () => void };
}

const COLORS = { good: "pine", warn: "yellow.8", info: "blue" };

type Loaded = typeof import("./ToastArea");

/** Toasts are loaded with the first of them: no page needs them to be shown. */
let loading: Promise<Loaded> | undefined;
let place: { loaded: Loaded | null; plain: NotificationData | null } = { loaded: null, plain: null };
const listeners = new Set<() => void>();

function change(next: Partial<typeof place>): void {
  place = { ...place, ...next };
  for (const listener of listeners) listener();
}

async function load(): Promise<Loaded> {
  loading ??= import("./ToastArea");
  try {
    const loaded = await loading;
    if (!place.loaded) change({ loaded });
    return loaded;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

/** The place where toasts appear. */
export function ToastPlace() {
  const { loaded, plain } = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => place,
  );
  return (
    <>
      {loaded && <loaded.default />}
      {plain && <Plain {...plain} />}
    </>
  );
}

/** Toasts that cannot be loaded must still be read: most likely the app was updated meanwhile. */
function Plain({ title, message }: NotificationData) {
  return (
    <div role="alert" className="plain-toast">
      <div className="grow">
        {title && <strong>{title} </strong>}
        {message}
      </div>
      <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
        Reload the page
      </Button>
      <CloseButton size="sm" onClick={() => change({ plain: null })} />
    </div>
  );
}

export async function showToast(toast: NotificationData): Promise<void> {
  try {
    (await load()).notifications.show(toast);
  } catch {
    change({ plain: toast });
  }
}

export function hideToast(id: string): void {
  // What is still being loaded is shown first, so it is hidden after that.
  if (loading)
    load()
      .then(({ notifications }) => notifications.hide(id))
      .catch(() => {});
  if (place.plain?.id === id) change({ plain: null });
}

export function showNotice({ title, message, tone = "good", stays = false, to, action }: Notice): void {
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
        {action && (
          <Button
            size="compact-sm"
            variant="default"
            display="block"
            mt="xs"
            onClick={() => {
              hideToast(id);
              action.onClick();
            }}
          >
            {action.label}
          </Button>
        )}
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
  const id = `failed-${Date.now()}`;
  // The run that does it already, where the server names one.
  const runId = error instanceof Problem ? error.state.run_id : undefined;
  const link = typeof runId === "string" && (
    <Link to="/runs/$runId" params={{ runId }} onClick={() => hideToast(id)}>
      Open that run
    </Link>
  );
  const message = link ? (
    <>
      {wordsOf(error)} {link}
    </>
  ) : (
    wordsOf(error)
  );
  showToast({ id, title: "That didn't work", message, color: "red", autoClose: 9000 });
}
