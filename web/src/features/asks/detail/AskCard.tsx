import { lazy, Suspense, useRef, useState } from "react";
import { useMe } from "@/api/me";
import { useMemberNames } from "@/api/memberNames";
import type { Ask } from "@/api/types";
import type { AskKind } from "@/ui/domain/askKinds";
import { Icon } from "@/ui/icons";
import { Prose } from "@/ui/text/Prose";
import classes from "../ask.module.css";
import { AskConversation } from "../comments/AskConversation";
import { type DecideProps, isOpen } from "../decision/decideProps";
import { useAnswer } from "../decision/useAnswer";
import { Approval } from "../kinds/Approval";
import { Budget } from "../kinds/Budget";
import { Milestone } from "../kinds/Milestone";
import { Plan } from "../kinds/Plan";
import { Question } from "../kinds/Question";
import { Recovery } from "../kinds/Recovery";
import { useStart } from "../outbox/answerDrafts";
import { AskBackground } from "./AskBackground";
import { AskHead } from "./AskHead";
import { AskHistory } from "./AskHistory";
import { AskOutcome } from "./AskOutcome";
import { AskReasons } from "./AskReasons";
import { Signatures } from "./Signatures";
import { StepsBefore } from "./stepsBefore/StepsBefore";
import { useOvertaken } from "./useOvertaken";
import { VetoNotice } from "./VetoNotice";

// Below the fold, and nothing where nobody was told.
const AskTold = lazy(() => import("./AskTold").then((told) => ({ default: told.AskTold })));

export interface AskCardProps {
  ask: Ask;
  /** Called when this person has decided. */
  onDecided?: (ask: Ask) => void;
  /** Single keys decide: only where one ask has the page. */
  shortcuts?: boolean;
  /** Nobody chose it: it stands where the one before was decided. */
  cameByItself?: boolean;
  /** Inside its run, where the run need not be named. */
  inRun?: boolean;
}

/** Everything needed to decide, and a way to: first what it is about, then why, then what lies behind it. */
export function AskCard({ ask, onDecided, shortcuts = false, cameByItself, inRun = false }: AskCardProps) {
  const card = useRef<HTMLElement>(null);
  const live = useAnswer(ask, onDecided);
  const { shown, overtaken } = useOvertaken(ask, live, card);
  const answering = overtaken ? { ...live, overtaken, send: () => {} } : live;
  const start = useStart(ask.id);
  // What an approval says of its tool stands beside the tool's name.
  const says = ask.kind !== "approval" && ask.description !== ask.title && ask.description;
  return (
    <article className={classes.ask} aria-label={ask.title} data-ask={ask.id} ref={card}>
      <AskHead ask={ask} inRun={inRun} />
      {!isOpen(ask) && <AskOutcome ask={ask} />}
      <VetoNotice ask={ask} />
      <ChangedMeanwhile key={`${ask.id} changed`} ask={ask} />
      {says && <Prose text={says} />}
      {/* Another ask, other arguments, a decision given or taken back: each starts afresh, from what was written. */}
      <Decide
        key={`${ask.id} ${shown.digest} ${answering.outgoing?.key} ${start}`}
        ask={shown}
        answering={answering}
        shortcuts={shortcuts && !overtaken}
        cameByItself={cameByItself}
      >
        <AskReasons ask={ask} />
        <Signatures ask={ask} />
        <AskBackground ask={ask} />
        {!inRun && <StepsBefore ask={ask} />}
        {!inRun && <AskConversation ask={ask} />}
        {!inRun && (
          <Suspense>
            <AskTold ask={ask} />
          </Suspense>
        )}
        {!inRun && <AskHistory ask={ask} />}
      </Decide>
    </article>
  );
}

/** A signer changed the arguments, or the world moved on, while somebody else had it before their eyes. */
function ChangedMeanwhile({ ask }: { ask: Ask }) {
  const { user } = useMe();
  const [seen] = useState(ask.digest);
  const [edits] = useState(ask.edited_by.join());
  const named = useMemberNames(ask.digest !== seen);
  const by = ask.edited_by.at(-1) ?? "somebody";
  if (ask.digest === seen || !isOpen(ask)) return null;
  if (ask.edited_by.join() === edits)
    return (
      <p className={classes.notice} role="status">
        <Icon name="triangle-alert" size={15} /> What this would change is different by now: {ask.preview?.summary}.
        Please review it again. Earlier signatures no longer count.
      </p>
    );
  if (by === user.email) return null;
  return (
    <p className={classes.notice} role="status">
      <Icon name="triangle-alert" size={15} /> Changed by {named(by)}. Please review it again. Your note is saved.
    </p>
  );
}

function Decide(props: DecideProps) {
  const kind = props.ask.kind as AskKind;
  switch (kind) {
    case "approval":
      return <Approval {...props} />;
    case "question":
    case "clarification":
      return <Question {...props} />;
    case "plan":
      return <Plan {...props} />;
    case "milestone":
      return <Milestone {...props} />;
    case "budget":
      return <Budget {...props} />;
    case "recovery":
      return <Recovery {...props} />;
    default:
      return kind satisfies never;
  }
}
