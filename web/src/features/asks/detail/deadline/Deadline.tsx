import { Countdown, useServerNow } from "@/ui/time/clock";
import classes from "../../ask.module.css";
import { urgency } from "./deadlineWords";

/** The time that is left, the louder the less it is. */
export function Deadline({ at }: { at: string }) {
  const left = (Date.parse(at) - useServerNow()) / 1000;
  return (
    <span className={classes.deadline} data-urgency={urgency(left)}>
      <Countdown at={at} />
    </span>
  );
}
