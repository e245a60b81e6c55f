import { Checkbox, VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { Ask } from "@/api/types";
import { kindWords } from "@/ui/domain/askKinds";
import { RiskTag } from "@/ui/domain/RiskTag";
import { Icon } from "@/ui/icons";
import { Tag } from "@/ui/Tag";
import { Waiting } from "@/ui/time/clock";
import { Deadline } from "../detail/deadline/Deadline";
import { signatures } from "../outbox/decisionWords";
import classes from "./inbox.module.css";
import type { InboxSearch } from "./inboxSearch";
import { isDecidedTogether, whyApart } from "./rowSelection";

interface AskRowProps {
  ask: Ask;
  /** Who asks. */
  origin: string;
  search: InboxSearch;
  shown: boolean;
  selected: boolean;
  selecting: boolean;
  onToggle: (id: string) => void;
}

/** Of a workflow both are the same, unless somebody gave the run a title. */
const originWords = (origin: string, title: string | null): string =>
  [...new Set([origin, title])].filter(Boolean).join(" · ");

export const AskRow = memo(function AskRow({ ask, origin, search, shown, selected, selecting, onToggle }: AskRowProps) {
  const { icon, label } = kindWords(ask);
  const together = isDecidedTogether(ask);
  return (
    <div className={classes.row} data-shown={shown || undefined} data-selecting={selecting || selected || undefined}>
      <span className={classes.kind} title={label}>
        <Icon name={icon} size={17} />
      </span>
      <span className={classes.tick}>
        <Checkbox
          size="xs"
          aria-label={`Select ${ask.title}`}
          disabled={!together}
          title={whyApart(ask)}
          checked={selected}
          onChange={() => onToggle(ask.id)}
          tabIndex={-1}
        />
      </span>
      <Link
        to="/asks/$askId"
        params={{ askId: ask.id }}
        search={search}
        className={classes.link}
        aria-current={shown || undefined}
      >
        <span className={classes.line}>
          <span className={classes.title}>{ask.title}</span>
          <span className={classes.when}>
            <Waiting at={ask.created_at} />
          </span>
        </span>
        <span className={classes.meta}>
          <span className="cut grow">{originWords(origin, ask.run_title) || label}</span>
          {ask.approvals_required > 1 && (
            <span className="num">
              {signatures(ask)}/{ask.approvals_required} signed
            </span>
          )}
          {ask.similar > 0 && (
            <span className={classes.alike}>
              <Icon name="layers" size={12} /> {ask.similar}
              <VisuallyHidden> similar</VisuallyHidden>
            </span>
          )}
          {ask.assignee && <Icon name="user" size={12} aria-label={`for ${ask.assignee}`} />}
          {ask.preview?.summary && <span className="cut">{ask.preview.summary}</span>}
          {ask.reversible && (ask.impact?.kinds.length ?? 0) > 0 && (
            <Icon name="rotate-ccw" size={12} aria-label="can be undone" />
          )}
          {ask.veto && <span>runs by itself</span>}
          {ask.deadline && <Deadline at={ask.deadline} />}
          {ask.test && <Tag tone="info">Test</Tag>}
          {ask.risk && <RiskTag level={ask.risk.level} short />}
        </span>
      </Link>
    </div>
  );
});
