import type { Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import { Countdown } from "@/ui/time/clock";
import classes from "../ask.module.css";

/** Silence lets it run: when, and what to do against it. */
export function VetoNotice({ ask }: { ask: Ask }) {
  if (!ask.veto || ask.status !== "pending") return null;
  return (
    <p className={classes.notice} role="note">
      <Icon name="clock" size={15} />
      {ask.runs_at ? (
        <span>
          Will run by itself unless someone objects: <Countdown at={ask.runs_at} />.
        </span>
      ) : (
        <span>
          Will run by itself {Math.max(1, Math.round(ask.veto.left / 60))} min after someone who may object was reached,
          and not while it is paused.
        </span>
      )}
    </p>
  );
}
