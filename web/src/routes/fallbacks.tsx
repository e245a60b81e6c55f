import { Button, Loader } from "@mantine/core";
import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { Empty, Failed } from "@/ui/States";

export function Pending() {
  return (
    <div style={{ height: "100dvh", display: "grid", placeItems: "center" }}>
      <Loader size="sm" aria-label="Loading" />
    </div>
  );
}

export function Missing() {
  return (
    <Empty
      icon="circle-help"
      title="There is no such page"
      action={
        <Button component={Link} to="/">
          Go to the inbox
        </Button>
      }
    >
      The address may be old or mistyped.
    </Empty>
  );
}

export function Broken({ error }: ErrorComponentProps) {
  return <Failed what="This page could not be shown" error={error} retry={() => location.reload()} />;
}
