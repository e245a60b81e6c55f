import { Button, Loader } from "@mantine/core";
import { type ErrorComponentProps, Link, Outlet, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { useConnection } from "@/api/live/useLive";
import { isOutdated, isUnreachable } from "@/api/problems";
import { ToastPlace } from "@/ui/overlay/toast";
import { Empty, Failed } from "@/ui/States";
import { OfflinePage } from "./OfflinePage";

/** What stands around every page. */
export function Root() {
  return (
    <>
      <Outlet />
      <ToastPlace />
    </>
  );
}

export function Pending() {
  return (
    <div role="status" aria-label="Loading" style={{ height: "100dvh", display: "grid", placeItems: "center" }}>
      <Loader size="sm" />
    </div>
  );
}

export function Missing() {
  return (
    <Empty
      icon="circle-help"
      title="Page not found"
      action={
        <Button component={Link} to="/inbox">
          Go to the inbox
        </Button>
      }
    >
      The address may be old or mistyped.
    </Empty>
  );
}

function Updated() {
  return (
    <Empty
      icon="rotate-ccw"
      title="Signoff was updated"
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      This page is out of date. Your decisions are saved.
    </Empty>
  );
}

export function Broken({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = useCallback(() => {
    reset();
    router.invalidate();
  }, [router, reset]);
  const lost = useConnection() === "lost" || !navigator.onLine;
  // A file of the app is missing after an update as well as without a connection.
  if (isUnreachable(error) || (isOutdated(error) && lost)) return <OfflinePage retry={retry} />;
  if (isOutdated(error)) return <Updated />;
  return <Failed what="Couldn't show this page" error={error} retry={() => location.reload()} />;
}
