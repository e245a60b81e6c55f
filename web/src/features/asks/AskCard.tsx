import { Link } from "@tanstack/react-router";
import type { Ask } from "@/api/types";
import { Countdown, Waiting } from "@/ui/clock";
import { Icon } from "@/ui/icons";
import { Prose } from "@/ui/Prose";
import { Tag } from "@/ui/Tag";
import { Approval } from "./Approval";
import { ApproveOrDeny } from "./ApproveOrDeny";
import { useAnswer } from "./answer";
import classes from "./ask.module.css";
import { Question } from "./Question";
import { Recovery } from "./Recovery";
import { RiskTag } from "./RiskTag";
import { Outcome, Signatures } from "./Settled";
import { type AskKind, kindWords } from "./words";

export interface AskCardProps {
  ask: Ask;
  onSettled?: (ask: Ask) => void;
  /** Single keys decide: only where one ask has the page. */
  shortcuts?: boolean;
  /** Inside its run, where the run need not be named. */
  inRun?: boolean;
}

/** Everything needed to decide, and the means to. */
export function AskCard({ ask, onSettled, shortcuts = false, inRun = false }: AskCardProps) {
  return (
    <article className={classes.ask} aria-label={ask.title} data-ask={ask.id}>
      <header className={classes.head}>
        <div className="row wrap">
          <span className={classes.kind}>
            <Icon name={kindWords(ask).icon} size={15} /> {kindWords(ask).label}
          </span>
          {ask.risk && <RiskTag level={ask.risk.level} />}
          {!ask.blocking && <Tag plain>Does not block</Tag>}
          <span className={classes.waiting}>
            {ask.status === "pending" && (
              <>
                waiting <Waiting at={ask.created_at} />
                {ask.deadline && (
                  <>
                    {" · "}
                    <Countdown at={ask.deadline} />
                  </>
                )}
              </>
            )}
          </span>
        </div>
        <h2 className={classes.title}>{ask.title}</h2>
        {!inRun && <Origin ask={ask} />}
      </header>
      {ask.status !== "pending" && <Outcome ask={ask} />}
      {ask.description && ask.description !== ask.title && <Prose text={ask.description} />}
      <Why ask={ask} />
      {ask.context && <p className="small dim">{ask.context}</p>}
      <Signatures ask={ask} />
      <Decide ask={ask} onSettled={onSettled} shortcuts={shortcuts} />
    </article>
  );
}

function Origin({ ask }: { ask: Ask }) {
  return (
    <p className="row wrap small dim" style={{ gap: "0.35rem" }}>
      {ask.agent && (
        <span className="row" style={{ gap: "0.35rem" }}>
          <Icon name="bot" size={15} /> {ask.agent}
        </span>
      )}
      {ask.run_id && (
        <>
          {ask.agent && <span>in</span>}
          <Link to="/runs/$runId" params={{ runId: ask.run_id }}>
            {ask.run_title || "its run"}
          </Link>
        </>
      )}
    </p>
  );
}

/** Why the agent wants it, and why somebody has to look. */
function Why({ ask }: { ask: Ask }) {
  const reasons = ask.risk?.reasons ?? [];
  if (!ask.reasoning && reasons.length === 0 && !ask.rule && ask.confidence == null) return null;
  return (
    <div className={classes.why}>
      {ask.reasoning && (
        <div>
          <div className="label">
            Why{ask.confidence != null && <span className="num"> · {Math.round(ask.confidence * 100)} % sure</span>}
          </div>
          <Prose text={ask.reasoning} />
        </div>
      )}
      {(reasons.length > 0 || ask.rule) && (
        <div>
          <div className="label">Why it asks</div>
          <ul className={classes.reasons}>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
            {ask.rule && (
              <li>
                Rule <code>{ask.rule}</code>
              </li>
            )}
          </ul>
        </div>
      )}
    </div>
  );
}

function Decide({ ask, onSettled, shortcuts = false }: AskCardProps) {
  const answering = useAnswer(ask, onSettled);
  const props = { ask, answering, shortcuts };
  const kind = ask.kind as AskKind;
  switch (kind) {
    case "approval":
      return <Approval {...props} />;
    case "question":
    case "clarification":
      return <Question {...props} />;
    case "plan":
    case "milestone":
    case "budget":
      return <ApproveOrDeny {...props} />;
    case "recovery":
      return <Recovery {...props} />;
    default:
      return kind satisfies never;
  }
}
