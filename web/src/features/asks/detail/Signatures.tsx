import { useMemberNames } from "@/api/memberNames";
import type { Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import { Ago } from "@/ui/time/clock";
import classes from "../ask.module.css";
import { approverWords, dueStage } from "../decision/mayDecide";
import { signatures } from "../outbox/decisionWords";

/** Who has signed so far and who is next, where more than one must. */
export function Signatures({ ask }: { ask: Ask }) {
  const named = useMemberNames(ask.approvals.length > 0);
  if (ask.approvals_required < 2 && !ask.stages && !ask.four_eyes) return null;
  const signed = signatures(ask);
  const due = ask.status === "pending" ? dueStage(ask) : undefined;
  return (
    <section className={classes.signatures} aria-label="Signatures">
      <div className="row wrap">
        <strong className="num">
          {signed} of {ask.approvals_required} signed
        </strong>
        {due && (
          <span className="dim">
            next: {due.name}, {due.approvers.map(approverWords).join(" or ")}
          </span>
        )}
        {!ask.stages && ask.status === "pending" && ask.approvers.length > 0 && (
          <span className="dim">may sign: {ask.approvers.map(approverWords).join(", ")}</span>
        )}
      </div>
      <ol>
        {ask.approvals.map(({ by, decision, at, note, stage, on_behalf_of: absent, void: why }) => (
          <li key={`${by} ${at}`} className="row wrap" data-void={decision === "void" || undefined}>
            <Icon name={decision === "approve" ? "circle-check" : "circle-x"} size={15} />
            <span>
              {decision === "void" ? <s>{named(by)}</s> : named(by)}
              {absent && ` for ${named(absent)}`}
              {stage && <span className="dim"> · {stage}</span>}
            </span>
            <span className="small dim">
              <Ago at={at} />
            </span>
            {note && <span>“{note}”</span>}
            {decision === "void" && (
              <span className="small">
                does not count: {named(by)} {why}
              </span>
            )}
          </li>
        ))}
      </ol>
      {ask.four_eyes && (
        <p className="small dim">Anyone who started, steered or edited this can't approve it (four eyes).</p>
      )}
    </section>
  );
}
