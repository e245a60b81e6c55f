import type { Ask } from "@/api/types";
import { outcomeWords } from "@/features/asks/words";
import { useNames } from "@/features/session/names";
import { Ago } from "@/ui/clock";
import { settledWords } from "./decisions";
import classes from "./run.module.css";

/** Who decided, how, and when. */
export function Decision({ ask }: { ask: Ask }) {
  return (
    <span className={classes.decision} data-tone={outcomeWords(ask).tone}>
      {settledWords(ask, useNames())}
      {ask.settled_at && (
        <>
          , <Ago at={ask.settled_at} />
        </>
      )}
    </span>
  );
}
