import { Link } from "@tanstack/react-router";
import { useMemberNames } from "@/api/memberNames";
import type { Ask } from "@/api/types";
import { kindWords } from "@/ui/domain/askKinds";
import { askOrigin } from "@/ui/domain/askOrigin";
import { RiskTag } from "@/ui/domain/RiskTag";
import { Icon } from "@/ui/icons";
import { Countdown, Waiting } from "@/ui/time/clock";
import classes from "./dashboard.module.css";

/** Something to decide, in one line. */
export function WaitingAsk({ ask }: { ask: Ask }) {
  const { label, icon } = kindWords(ask);
  const named = useMemberNames(ask.asked_by !== null);
  return (
    <Link to="/asks/$askId" params={{ askId: ask.id }} className={classes.line}>
      <Icon name={icon} size={16} aria-label={label} />
      <span className={`cut ${classes.name}`}>{ask.title}</span>
      {ask.risk && <RiskTag level={ask.risk.level} short />}
      <span className={`cut small dim ${classes.whose}`}>
        {[askOrigin(ask, named), ask.run_title].filter(Boolean).join(" · ")}
      </span>
      <span className={classes.when}>
        {ask.deadline ? <Countdown at={ask.deadline} /> : <Waiting at={ask.created_at} />}
      </span>
    </Link>
  );
}
