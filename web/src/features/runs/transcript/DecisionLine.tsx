import { useMemberNames } from "@/api/memberNames";
import type { Ask } from "@/api/types";
import { outcomeWords } from "@/ui/domain/askOutcomes";
import { Ago } from "@/ui/time/clock";
import classes from "../run.module.css";
import { settledWords } from "./settledWords";

/** Who decided, how, and when. */
export function DecisionLine({ ask }: { ask: Ask }) {
  return (
    <span className={classes.decision} data-tone={outcomeWords(ask).tone}>
      {settledWords(ask, useMemberNames())}
      {ask.settled_at && (
        <>
          , <Ago at={ask.settled_at} />
        </>
      )}
    </span>
  );
}
