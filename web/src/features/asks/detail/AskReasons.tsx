import { Progress } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Ask } from "@/api/types";
import { Prose } from "@/ui/text/Prose";
import classes from "../ask.module.css";

/** Why the agent wants it, how sure it is, and why somebody has to look. */
export function AskReasons({ ask }: { ask: Ask }) {
  // The rule's own line says that it asks, with a link.
  const reasons = (ask.kind === "plan" ? [] : (ask.risk?.reasons ?? [])).filter(
    (reason) => !ask.rule || !reason.startsWith(`Rule "${ask.rule}"`),
  );
  if (!ask.reasoning && reasons.length === 0 && !ask.rule && ask.confidence == null) return null;
  return (
    <div className={classes.why}>
      {(ask.reasoning || ask.confidence != null) && (
        <div>
          <h3 className="label">Why the agent wants it</h3>
          {ask.reasoning && <Prose text={ask.reasoning} />}
          {ask.confidence != null && <Confidence share={ask.confidence} />}
        </div>
      )}
      {(reasons.length > 0 || ask.rule) && (
        <div>
          <h3 className="label">Why it asks you</h3>
          <ul className={classes.reasons}>
            {ask.rule && (
              <li>
                Rule{" "}
                <Link to="/rules" search={{ rule: ask.rule }}>
                  {ask.rule}
                </Link>{" "}
                asks for {ask.approvals_required > 1 ? `${ask.approvals_required} people` : "a person"}
                {ask.policy_version != null && <span className="dim"> (version {ask.policy_version})</span>}
              </li>
            )}
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function Confidence({ share }: { share: number }) {
  const percent = Math.round(share * 100);
  return (
    <div className={classes.confidence}>
      <span className="small num">{percent} % sure</span>
      <Progress
        className="grow"
        size="xs"
        value={percent}
        color={percent < 50 ? "orange" : "pine"}
        aria-label="Agent confidence"
      />
    </div>
  );
}
