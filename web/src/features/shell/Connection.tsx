import type { Connection } from "@/api/events";
import { useConnection } from "@/api/useLive";
import { useOutgoing } from "@/features/asks/outgoing";
import { Icon } from "@/ui/icons";
import classes from "./shell.module.css";

const WORDS: Record<Connection, string> = {
  connecting: "Connecting",
  open: "Live",
  lost: "Reconnecting",
  idle: "Resting",
};

export function ConnectionDot() {
  const state = useConnection();
  return (
    <div className={classes.connection} role="status" title="Whether this page hears at once what happens">
      <span className={classes.dot} data-state={state} />
      {WORDS[state]}
    </div>
  );
}

/** A line across the page while Signoff cannot be reached. */
export function LostBanner() {
  const state = useConnection();
  const kept = useOutgoing().filter((item) => item.state === "kept").length;
  if (state !== "lost") return null;
  return (
    <div className={classes.banner} role="status">
      <Icon name="wifi-off" size={15} />
      <span>
        Signoff cannot be reached. What you see may be old;{" "}
        {kept > 0
          ? `${kept === 1 ? "your decision is" : `your ${kept} decisions are`} kept and sent as soon as it is back.`
          : "what you decide is kept and sent as soon as it is back."}
      </span>
    </div>
  );
}
