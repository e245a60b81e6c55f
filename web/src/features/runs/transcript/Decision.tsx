import type { Ask } from "@/api/types";
import { useNames } from "@/features/session/names";
import { outcomeWords } from "@/ui/domain/words";
import { Ago } from "@/ui/time/clock";
import classes from "../run.module.css";
import { settledWords } from "./decisions";

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
