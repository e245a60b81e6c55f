import { Link } from "@tanstack/react-router";
import { useMemberNames } from "@/api/memberNames";
import type { Ask } from "@/api/types";
import { kindWords } from "@/ui/domain/askKinds";
import { askOrigin } from "@/ui/domain/askOrigin";
import { impactWords } from "@/ui/domain/impact";
import { RiskTag } from "@/ui/domain/RiskTag";
import { Icon } from "@/ui/icons";
import { Tag } from "@/ui/Tag";
import { Waiting } from "@/ui/time/clock";
import classes from "../ask.module.css";
import { AskViewers } from "./AskViewers";
import { AssignButton } from "./assign/AssignButton";
import { Deadline } from "./deadline/Deadline";
import { timeoutWords } from "./deadline/deadlineWords";

export function AskHead({ ask, inRun }: { ask: Ask; inRun: boolean }) {
  return (
    <header className={classes.head}>
      <div className="row wrap">
        <span className={classes.kind}>
          <Icon name={kindWords(ask).icon} size={15} /> {kindWords(ask).label}
        </span>
        {ask.test && (
          <Tag tone="info" title="What you approve here is not really done">
            Test
          </Tag>
        )}
        {ask.risk && <RiskTag level={ask.risk.level} />}
        {ask.reversible && (ask.impact?.kinds.length ?? 0) > 0 && <Tag plain>Can be undone</Tag>}
        {!ask.blocking && <Tag plain>Not blocking</Tag>}
        {ask.status === "pending" && <Times ask={ask} />}
      </div>
      <h2 className={classes.title} tabIndex={-1}>
        {ask.title}
      </h2>
      {ask.impact && <p className={classes.impact}>{impactWords(ask.impact)}</p>}
      <div className="row wrap small dim" style={{ gap: "0.35rem 0.75rem" }}>
        {ask.asked_by && <OutsideAsker ask={ask} />}
        {!inRun && <Origin ask={ask} />}
        {ask.estimated_cost_credits != null && <span className="num">about {ask.estimated_cost_credits} credits</span>}
        <AssignButton ask={ask} />
        {ask.similar > 0 && ask.status === "pending" && (
          <Link to="/inbox" search={{ group: ask.likeness ?? undefined }} className="row" style={{ gap: "0.3rem" }}>
            <Icon name="layers" size={14} /> {ask.similar} similar
          </Link>
        )}
        {ask.status === "pending" && <AskViewers askId={ask.id} />}
      </div>
    </header>
  );
}

function Times({ ask }: { ask: Ask }) {
  const then = timeoutWords(ask);
  return (
    <span className={classes.waiting}>
      waiting <Waiting at={ask.created_at} />
      {ask.deadline && (
        <>
          {" · "}
          <Deadline at={ask.deadline} />
          {then && `, ${then}`}
        </>
      )}
    </span>
  );
}

function OutsideAsker({ ask }: { ask: Ask }) {
  const named = useMemberNames();
  return (
    <span className="row" style={{ gap: "0.35rem" }}>
      <Icon name="user" size={15} /> {askOrigin(ask, named)}
    </span>
  );
}

function Origin({ ask }: { ask: Ask }) {
  // A checkpoint is the workflow's own, whose name the run has.
  const named = ask.agent_name && !ask.asked_by && ask.tool !== "checkpoint";
  return (
    <span className="row wrap" style={{ gap: "0.35rem" }}>
      {named && (
        <span className="row" style={{ gap: "0.35rem" }}>
          <Icon name="bot" size={15} />
          {/* What came through the gate may name an agent that is not kept here. */}
          {ask.run_id ? (
            <Link to="/agents/$slug" params={{ slug: ask.agent }}>
              {ask.agent_name}
            </Link>
          ) : (
            ask.agent_name
          )}
        </span>
      )}
      {ask.run_id ? (
        <>
          {(named || ask.asked_by) && <span>{named ? "in" : "about"}</span>}
          <Link to="/runs/$runId" params={{ runId: ask.run_id }}>
            {ask.run_title || "its run"}
          </Link>
        </>
      ) : (
        <span>from outside Signoff</span>
      )}
    </span>
  );
}
