import { ActionIcon, VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAgentNames } from "@/api/agentNames";
import { useMemberNames } from "@/api/memberNames";
import type { Notice } from "@/api/types";
import { Icon } from "@/ui/icons";
import { Ago } from "@/ui/time/clock";
import { KINDS, placeWords, senderWords } from "./noticeKinds";
import classes from "./notices.module.css";

interface NoticeRowProps {
  notice: Notice;
  onRead: () => void;
  /** The question that it is about, answered in place. */
  children?: ReactNode;
}

export function NoticeRow({ notice, onRead, children }: NoticeRowProps) {
  const { icon, tone } = KINDS[notice.kind];
  const named = useMemberNames();
  const agentNamed = useAgentNames();
  return (
    <li className={classes.notice} data-unread={!notice.read || undefined}>
      <span className={classes.icon} data-tone={tone}>
        <Icon name={icon} size={16} />
      </span>
      <div className={classes.what}>
        <p className="small dim">
          {placeWords(notice)} · {senderWords(notice.sender, named, agentNamed)} · <Ago at={notice.created_at} />
          {!notice.read && <VisuallyHidden> · unread</VisuallyHidden>}
        </p>
        <Target notice={notice} onRead={onRead} />
        {notice.rule && <ByRule rule={notice.rule} reasons={notice.reasons} onRead={onRead} />}
        {children && <div className={classes.answer}>{children}</div>}
      </div>
      {!notice.read && (
        <ActionIcon
          className={classes.mark}
          variant="subtle"
          color="gray"
          aria-label={`Mark as read: ${notice.text.slice(0, 60)}`}
          title="Mark as read"
          onClick={onRead}
        >
          <span className={classes.dot} />
        </ActionIcon>
      )}
    </li>
  );
}

/** Why a rule let something through, and the way to switch it off. */
function ByRule({ rule, reasons, onRead }: Pick<NoticeRowProps, "onRead"> & { rule: string; reasons: string[] }) {
  return (
    <p className="small dim">
      {reasons.map((each) => `${each}. `)}
      <Link to="/rules" search={{ rule }} style={{ textDecoration: "underline" }} onClick={onRead}>
        See this rule, or switch it off
      </Link>
    </p>
  );
}

/** Its text; where it is about an ask or a run, the whole row leads there. */
function Target({ notice: { text, ask_id: askId, run_id: runId }, onRead }: Pick<NoticeRowProps, "notice" | "onRead">) {
  if (askId)
    return (
      <Link to="/asks/$askId" params={{ askId }} className={classes.text} onClick={onRead}>
        {text}
      </Link>
    );
  if (runId)
    return (
      <Link to="/runs/$runId" params={{ runId }} className={classes.text} onClick={onRead}>
        {text}
      </Link>
    );
  return <p className={classes.text}>{text}</p>;
}
