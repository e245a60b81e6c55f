import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { Ask } from "@/api/types";
import { kindWords } from "@/ui/domain/askKinds";
import { askOrigin } from "@/ui/domain/askOrigin";
import { changesWords, decidersWords, letThroughWords, outcomeWords } from "@/ui/domain/askOutcomes";
import { RiskTag } from "@/ui/domain/RiskTag";
import { Icon } from "@/ui/icons";
import { Ago, Waiting } from "@/ui/time/clock";
import { signatures } from "../outbox/decisionWords";
import classes from "./inbox.module.css";
import type { InboxSearch } from "./inboxSearch";

interface QuietRowProps {
  ask: Ask;
  search: InboxSearch;
  shown: boolean;
  named: (label: string) => string;
}

/** One that asks nothing of the reader: it waits for others, or is decided. */
export const QuietRow = memo(function QuietRow({ ask, search, shown, named }: QuietRowProps) {
  const settled = ask.status === "pending" ? undefined : outcomeWords(ask);
  const { icon, label } = settled ?? kindWords(ask);
  return (
    <div className={classes.row} data-shown={shown || undefined} data-quiet>
      <span className={classes.kind} title={label} data-tone={settled?.tone}>
        <Icon name={icon} size={17} />
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
            {ask.settled_at ? <Ago at={ask.settled_at} /> : <Waiting at={ask.created_at} />}
          </span>
        </span>
        <span className={classes.meta}>
          <span className="cut grow">{settled ? decidedWords(ask, settled.label, named) : waitsFor(ask, named)}</span>
          {ask.risk && <RiskTag level={ask.risk.level} short />}
        </span>
      </Link>
    </div>
  );
});

/** Who decided, and how. Nobody is named where time did. */
function decidedWords(ask: Ask, label: string, named: (by: string) => string): string {
  if (ask.status === "auto_approved") return [letThroughWords(ask, named), askOrigin(ask, named)].join(" · ");
  const how = changesWords(ask, label, named);
  const by = ask.status === "expired" ? how : how + decidersWords(ask, named);
  return [by, askOrigin(ask, named)].join(" · ");
}

/** For whom it waits. */
function waitsFor(ask: Ask, named: (by: string) => string): string {
  const signed = ask.approvals_required > 1 ? `${signatures(ask)} of ${ask.approvals_required} signed` : null;
  return [ask.assignee && `With ${named(ask.assignee)}`, signed, askOrigin(ask, named)].filter(Boolean).join(" · ");
}
