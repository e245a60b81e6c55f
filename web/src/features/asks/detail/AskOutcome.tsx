import { useMemberNames } from "@/api/memberNames";
import type { Ask } from "@/api/types";
import { optionsOf, same } from "@/ui/domain/askOptions";
import { changesWords, decidersWords, letThroughWords, outcomeWords } from "@/ui/domain/askOutcomes";
import { Icon } from "@/ui/icons";
import { Ago } from "@/ui/time/clock";
import { Value } from "@/ui/values/Values";
import { changesBetween } from "../arguments/argumentChanges";
import { ChangeList } from "../arguments/ChangeList";
import classes from "../ask.module.css";

/** How an ask ended, by whom, and with which words. */
export function AskOutcome({ ask }: { ask: Ask }) {
  const { label, tone, icon } = outcomeWords(ask);
  const named = useMemberNames();
  const changed = ask.answer?.arguments;
  return (
    <>
      <div className={classes.outcome} data-tone={tone} role="status">
        <Icon name={icon} size={18} />
        <div className="grow">
          <strong>
            {ask.status === "auto_approved" ? letThroughWords(ask, named) : changesWords(ask, label, named)}
            {ask.status !== "auto_approved" && decidersWords(ask, named)}
          </strong>
          {ask.settled_at && (
            <span className="small">
              {" · "}
              <Ago at={ask.settled_at} />
            </span>
          )}
          {ask.answer?.end_run && <p>This also ended the run.</p>}
          {ask.answer?.note && <p>“{ask.answer.note}”</p>}
          <Given ask={ask} />
        </div>
      </div>
      {changed != null && (
        <div className="stack">
          <div className="label">Changed before it was approved</div>
          <ChangeList changes={changesBetween(ask.original_arguments ?? ask.arguments, changed)} />
        </div>
      )}
    </>
  );
}

function Given({ ask }: { ask: Ask }) {
  const value = ask.answer?.value;
  if (value === null || value === undefined || ask.kind === "budget") return null;
  const option = optionsOf(ask).find((each) => same(each.value, value));
  return option ? <p>{option.label}</p> : <Value value={value} />;
}
