import { Button, Loader } from "@mantine/core";
import { type ErrorComponentProps, Link, Outlet, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { isUnreachable } from "@/api/problems";
import { Empty, Failed } from "@/ui/States";
import { ToastPlace } from "@/ui/toast";
import { Offline } from "./Offline";

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
      title="There is no such page"
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

export function Broken({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = useCallback(() => {
    reset();
    router.invalidate();
  }, [router, reset]);
  if (isUnreachable(error)) return <Offline retry={retry} />;
  return <Failed what="This page could not be shown" error={error} retry={() => location.reload()} />;
}
