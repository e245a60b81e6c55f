import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { AskGroup } from "@/api/types";
import { kindWords } from "@/ui/domain/askKinds";
import { RiskTag } from "@/ui/domain/RiskTag";
import { Icon } from "@/ui/icons";
import { Waiting } from "@/ui/time/clock";
import { label } from "@/ui/values/valueFormat";
import { Deadline } from "../detail/deadline/Deadline";
import { targetWords } from "./askGroups";

interface GroupRowProps {
  group: AskGroup;
  left: number;
  shown: boolean;
  classes: Record<string, string | undefined>;
}

/** Asks that are alike, as one row of the inbox. */
export const GroupRow = memo(function GroupRow({ group, left, shown, classes }: GroupRowProps) {
  const { icon, label: kind } = kindWords(group.first);
  return (
    <div className={classes.row} data-shown={shown || undefined}>
      <span className={classes.kind} title={kind}>
        <Icon name={icon} size={17} />
      </span>
      <Link
        to="/inbox"
        search={(before) => ({ ...before, view: undefined, group: group.likeness ?? undefined })}
        className={classes.link}
        aria-current={shown || undefined}
      >
        <span className={classes.line}>
          <span className={classes.title}>
            <span className="num">{left.toLocaleString("en")}</span> × {groupTitle(group)}
          </span>
          <span className={classes.when}>
            <Waiting at={group.oldest} />
          </span>
        </span>
        <span className={classes.meta}>
          <span className="cut grow">{[agentWords(group), differWords(group)].filter(Boolean).join(" · ")}</span>
          {group.deadline && <Deadline at={group.deadline} />}
          {group.risk && <RiskTag level={group.risk.level} short />}
        </span>
      </Link>
    </div>
  );
});

/** The tool and where it goes, or the question. */
export const groupTitle = ({ tool, target, first }: AskGroup): string =>
  tool ? [label(tool), targetWords(target)].filter(Boolean).join(" · ") : first.title;

export const agentWords = ({ agents }: AskGroup): string =>
  agents.length > 2 ? `${agents.length} agents` : agents.join(", ");

const differWords = ({ differs }: AskGroup): string =>
  differs.length > 0 ? `differ in ${differs.map(({ path }) => label(path)).join(", ")}` : "";
