import type { Ask } from "@/api/types";
import { Prose } from "@/ui/Prose";
import { Approval } from "./Approval";
import { AskHead } from "./AskHead";
import { useAnswer } from "./answer";
import classes from "./ask.module.css";
import { Background } from "./Background";
import { Budget } from "./Budget";
import type { DecideProps } from "./decide";
import { History } from "./History";
import { Milestone } from "./Milestone";
import { Plan } from "./Plan";
import { Question } from "./Question";
import { Recovery } from "./Recovery";
import { Outcome } from "./Settled";
import { Signatures } from "./Signatures";
import { Why } from "./Why";
import type { AskKind } from "./words";

export interface AskCardProps {
  ask: Ask;
  /** Called when this person has decided. */
  onDecided?: (ask: Ask) => void;
  /** Single keys decide: only where one ask has the page. */
  shortcuts?: boolean;
  /** Inside its run, where the run need not be named. */
  inRun?: boolean;
}

/** Everything needed to decide, and the means to. */
export function AskCard({ ask, onDecided, shortcuts = false, inRun = false }: AskCardProps) {
  const answering = useAnswer(ask, onDecided);
  // Where the answer is a part of the page, rather than a bar at its end, the past comes last.
  const answersBelow = ["question", "clarification", "recovery"].includes(ask.kind) && ask.status === "pending";
  return (
    <article className={classes.ask} aria-label={ask.title} data-ask={ask.id}>
      <AskHead ask={ask} inRun={inRun} />
      {ask.status !== "pending" && <Outcome ask={ask} />}
      {ask.description && ask.description !== ask.title && <Prose text={ask.description} />}
      <Signatures ask={ask} />
      <Why ask={ask} />
      {/* Arguments that a signer changed meanwhile are another thing to decide. */}
      <Decide key={ask.digest} ask={ask} answering={answering} shortcuts={shortcuts}>
        <Background ask={ask} />
        {!inRun && !answersBelow && <History ask={ask} />}
      </Decide>
      {!inRun && answersBelow && <History ask={ask} />}
    </article>
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
