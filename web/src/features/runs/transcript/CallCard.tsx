import { UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Ask, Call } from "@/api/types";
import { verdictWords } from "@/ui/domain/verdict";
import { Icon } from "@/ui/icons";
import { Tag } from "@/ui/Tag";
import { Fields, Value } from "@/ui/values/Values";
import classes from "../run.module.css";
import { CallUndo } from "../undo/CallUndo";
import { callStatus, callWords, ruleWords, took } from "./callWords";
import { DecisionLine } from "./DecisionLine";
import { useCallProgress } from "./useCallProgress";

interface CallCardProps {
  call: Call;
  /** Where a person was asked about it. */
  ask?: Ask;
}

/** One tool call: what it does and who allowed it, to skim; more when opened. */
export function CallCard({ call, ask }: CallCardProps) {
  const [open, setOpen] = useState(false);
  const { label, icon, tone } = callStatus(call);
  const rule = ruleWords(call);
  const progress = useCallProgress(call);
  return (
    <div className={classes.call} data-tone={tone}>
      <UnstyledButton className={classes.callHead} onClick={() => setOpen(!open)} aria-expanded={open}>
        <Icon name={icon} size={15} className={call.status === "started" ? "spin" : undefined} aria-label={label} />
        <span className={classes.callWords}>
          <span className="cut">{callWords(call, ask)}</span>
          {ask && ask.status !== "pending" && <DecisionLine ask={ask} />}
          {rule && <span className={classes.decision}>{rule}</span>}
        </span>
        <span className={`dim tiny num cut ${classes.callState}`}>
          {call.status === "succeeded" ? took(call) : progress || label}
        </span>
        <Icon name="chevron-right" size={14} className={classes.chevron} />
      </UnstyledButton>
      {open && <Details call={call} />}
    </div>
  );
}

function Details({ call }: { call: Call }) {
  const edited = JSON.stringify(call.arguments) !== JSON.stringify(call.proposed_arguments);
  const given = Object.entries(call.arguments);
  return (
    <div className={classes.callBody}>
      {given.length > 0 && (
        <div>
          {edited && <div className="label">As edited by a person</div>}
          <Fields values={given} />
        </div>
      )}
      {edited && (
        <div>
          <div className="label">As proposed by the agent</div>
          <Fields values={Object.entries(call.proposed_arguments)} />
        </div>
      )}
      {call.error && <p className={classes.error}>{call.error}</p>}
      {call.result != null && (
        <div>
          <div className="label">Result</div>
          <Value value={call.result} />
        </div>
      )}
      <CallUndo call={call} />
      <Verdict call={call} />
    </div>
  );
}

/** Why it ran, asked or was refused, and how long it took. */
function Verdict({ call }: { call: Call }) {
  const { verdict } = call;
  const { label, tone } = verdictWords(verdict.verdict);
  const time = took(call);
  return (
    <footer className={classes.verdict}>
      <code>{call.tool}</code>
      <Tag tone={tone} plain>
        {label}
      </Tag>
      <span>{verdict.reasons.join("; ")}</span>
      {verdict.rule && (
        <Link to="/rules" search={{ rule: verdict.rule }}>
          Rule {verdict.rule}
        </Link>
      )}
      {call.ask_id && (
        <Link to="/asks/$askId" params={{ askId: call.ask_id }}>
          The decision
        </Link>
      )}
      {call.started_run_id && (
        <Link to="/runs/$runId" params={{ runId: call.started_run_id }}>
          Its run
        </Link>
      )}
      {time && <span className="num">took {time}</span>}
      {call.attempt > 1 && <span>attempt {call.attempt}</span>}
      {call.cost_credits > 0 && <span className="num">{call.cost_credits} credits</span>}
    </footer>
  );
}
