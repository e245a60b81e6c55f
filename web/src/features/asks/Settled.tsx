import type { Ask } from "@/api/types";
import { Ago } from "@/ui/clock";
import { Icon } from "@/ui/icons";
import { Value } from "@/ui/Values";
import classes from "./ask.module.css";
import { outcomeWords } from "./words";

/** How an ask ended, by whom, and with which words. */
export function Outcome({ ask }: { ask: Ask }) {
  const { label, tone, icon } = outcomeWords(ask);
  const changed = ask.answer?.arguments != null;
  return (
    <div className={classes.outcome} data-tone={tone} role="status">
      <Icon name={icon} size={18} />
      <div className="grow">
        <strong>
          {label}
          {changed && " with changes"}
          {ask.settled_by && ` by ${ask.settled_by}`}
        </strong>
        {ask.settled_at && (
          <span className="small">
            {" · "}
            <Ago at={ask.settled_at} />
          </span>
        )}
        {ask.answer?.note && <p>“{ask.answer.note}”</p>}
        {ask.answer?.value != null && <Value value={ask.answer.value} />}
      </div>
    </div>
  );
}

/** Who has signed so far, where more than one must. */
export function Signatures({ ask }: { ask: Ask }) {
  if (ask.approvals_required < 2) return null;
  return (
    <p className="small dim">
      {ask.approvals.length} of {ask.approvals_required} signed
      {ask.approvals.length > 0 && `: ${ask.approvals.map(({ by }) => by).join(", ")}`}
    </p>
  );
}
