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
      title="Signoff cannot be reached"
      action={
        <Button variant="default" onClick={retry}>
          Try now
        </Button>
      }
    >
      Either you are offline or the server is being restarted. This page goes on by itself as soon as it is back.
      Decisions that you have taken are kept on this device and sent then.
    </Empty>
  );
}
