import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { useTextBeingWritten } from "@/api/live/textBeingWritten";
import { useMemberNames } from "@/api/memberNames";
import type { Ask, Message, Run } from "@/api/types";
import { kindWords } from "@/ui/domain/askKinds";
import { outcomeWords } from "@/ui/domain/askOutcomes";
import { statusWords } from "@/ui/domain/runs/runStatus";
import { Icon } from "@/ui/icons";
import { Prose } from "@/ui/text/Prose";
import { Ago } from "@/ui/time/clock";
import classes from "../run.module.css";
import { CallCard } from "./CallCard";
import { isInTranscript } from "./callWords";
import { DecisionLine } from "./DecisionLine";
import { type Entry, isNote } from "./useTranscript";

interface OneEntryProps {
  entry: Entry;
  /** What the run has asked, by id. */
  asks: Map<string, Ask>;
}

/** One part of the thread. */
export const OneEntry = memo(function OneEntry({ entry, asks }: OneEntryProps) {
  switch (entry.type) {
    case "message":
      if (entry.message.compaction) return <Shortened mark={entry.message} />;
      return isNote(entry.message) ? (
        <NoteToAgent note={entry.message} />
      ) : (
        <OneMessage message={entry.message} asks={asks} />
      );
    case "ask":
      return <SettledAsk ask={entry.ask} />;
  }
});

interface OneMessageProps {
  message: Message;
  asks: Map<string, Ask>;
}

const WHO = {
  user: { name: "You and your team", icon: "user" },
  system: { name: "Signoff", icon: "flag" },
} as const;

function OneMessage({ message, asks }: OneMessageProps) {
  const named = useMemberNames();
  const who = message.role === "user" || message.role === "system" ? WHO[message.role] : null;
  return (
    <div className={classes.message} data-role={message.role}>
      {who && (
        <div className={classes.who}>
          <Icon name={who.icon} size={14} />
          {message.author && message.role === "user" ? named(message.author) : who.name}
          <span className="dim tiny">
            <Ago at={message.created_at} />
          </span>
        </div>
      )}
      {message.text && <Prose text={message.text} />}
      {message.calls?.filter(isInTranscript).map((call) => (
        <CallCard key={call.id} call={call} ask={asks.get(call.ask_id ?? "")} />
      ))}
    </div>
  );
}

/** What Signoff told the model alone: there to be looked up, not to be read. */
function NoteToAgent({ note }: { note: Message }) {
  return (
    <details className={classes.note} data-testid="note-to-agent">
      <summary>
        Note to the agent · <Ago at={note.created_at} />
      </summary>
      <Prose text={note.text} />
    </details>
  );
}

/** Where the conversation was shortened for the model. All of it is still here to read. */
function Shortened({ mark }: { mark: Message }) {
  const summary = mark.compaction?.summary;
  return (
    <div className={classes.shortened} data-testid="shortened">
      <span>{mark.text}</span>
      {summary && (
        <details className={classes.note}>
          <summary>The summary</summary>
          <Prose text={summary} />
        </details>
      )}
    </div>
  );
}

/** A decision that belongs to no call: a plan, a milestone, a budget. */
function SettledAsk({ ask }: { ask: Ask }) {
  return (
    <div className={classes.settled}>
      <Icon name={outcomeWords(ask).icon} size={15} />
      <span className={classes.callWords}>
        <span>
          {kindWords(ask).label}{" "}
          <Link to="/asks/$askId" params={{ askId: ask.id }}>
            {ask.title}
          </Link>
        </span>
        <DecisionLine ask={ask} />
      </span>
    </div>
  );
}

/** Text as the model writes it; while nothing comes yet, a sign that it works. */
export function BeingWritten({ run }: { run: Run }) {
  const text = useTextBeingWritten(run.id);
  if (!text && !statusWords(run).live) return null;
  return (
    <li
      className={`${classes.message} ${classes.entry}`}
      data-role="assistant"
      aria-busy="true"
      data-testid="being-written"
    >
      {text ? (
        <Prose text={text} />
      ) : (
        <span className={classes.thinking}>
          <Icon name="loader-circle" className="spin" size={15} /> Working
        </span>
      )}
    </li>
  );
}
