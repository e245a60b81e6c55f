import { Button } from "@mantine/core";
import { useEffect } from "react";
import { Empty } from "@/ui/States";

const RETRY_MS = 5_000;

/** The app is here, the server is not. Goes on by itself when it is back. */
export function OfflinePage({ retry }: { retry: () => void }) {
  useEffect(() => {
    const timer = setInterval(retry, RETRY_MS);
    window.addEventListener("online", retry);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", retry);
    };
  }, [retry]);
  return (
    <Empty
      icon="wifi-off"
      title="Can't reach Signoff"
      action={
        <Button variant="default" onClick={retry}>
          Try now
        </Button>
      }
    >
      You are offline, or the server is restarting. This page reconnects by itself. Your decisions are saved on this
      device and sent then.
    </Empty>
  );
}
