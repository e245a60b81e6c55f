import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import type { Connection } from "@/api/live/eventStream";
import { stopLive, useConnection } from "@/api/live/useLive";
import { Icon } from "@/ui/icons";
import classes from "./shell.module.css";

const WORDS: Record<Connection, string> = {
  connecting: "Connecting",
  open: "Live",
  lost: "Reconnecting",
  ended: "Signed out",
  idle: "Idle",
};

export function ConnectionDot() {
  const state = useConnection();
  return (
    <div className={classes.connection} role="status" title="Whether this page updates live">
      <span className={classes.dot} data-state={state} />
      {WORDS[state]}
    </div>
  );
}

/** A line across the page while Can't reach Signoff, or does not know this person any more. */
export function LostBanner({ kept }: { kept: number }) {
  const state = useConnection();
  if (state === "ended") return <EndedBanner />;
  if (state !== "lost") return null;
  return (
    <div className={classes.banner} role="status">
      <Icon name="wifi-off" size={15} />
      <span>
        Can't reach Signoff. What you see may be out of date.{" "}
        {kept > 0
          ? `${kept === 1 ? "Your decision is" : `Your ${kept} decisions are`} saved and sent when it's back.`
          : "Your decisions are saved and sent when it's back."}
      </span>
    </div>
  );
}

function EndedBanner() {
  const router = useRouter();
  const signIn = () => {
    const to = router.state.location.href;
    stopLive();
    router.navigate({ to: "/sign-in", search: { to } });
  };
  return (
    <div className={classes.banner} role="alert">
      <Icon name="triangle-alert" size={15} />
      <span>Your session has ended. Sign in to continue. What you decided here is saved.</span>
      <Button size="compact-sm" variant="default" onClick={signIn}>
        Sign in
      </Button>
    </div>
  );
}
