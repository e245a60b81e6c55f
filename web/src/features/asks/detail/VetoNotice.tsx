import type { Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import { Countdown } from "@/ui/time/clock";
import { duration } from "@/ui/time/duration";
import classes from "../ask.module.css";

/** Silence lets it run: when, and what to do against it. */
export function VetoNotice({ ask }: { ask: Ask }) {
  if (!ask.veto || ask.status !== "pending") return null;
  const left = duration(ask.veto.left);
  return (
    <p className={classes.notice} role="note">
      <Icon name={ask.veto.suspended ? "pause" : "clock"} size={15} />
      {ask.runs_at ? (
        <span>
          Will run by itself unless someone objects: <Countdown at={ask.runs_at} />.
        </span>
      ) : ask.veto.suspended ? (
        <span>
          The time to object is suspended: its run or everything is paused, or auto-approvals are stopped. {left} will
          be left when it goes on.
        </span>
      ) : (
        <span>
          Will run by itself {left} after someone who may object was reached, and not while it is paused or
          auto-approvals are stopped.
        </span>
      )}
    </p>
  );
}
