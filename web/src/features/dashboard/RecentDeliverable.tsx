import { Link } from "@tanstack/react-router";
import type { Deliverable } from "@/api/types";
import { iconOf } from "@/ui/domain/deliverableIcon";
import { Icon } from "@/ui/icons";
import { Ago } from "@/ui/time/clock";
import classes from "./dashboard.module.css";

/** A result, one click from being read. */
export function RecentDeliverable({ item }: { item: Deliverable }) {
  return (
    <Link to="/deliverables" search={{ view: item.id }} className={classes.line}>
      <Icon name={iconOf(item)} size={16} />
      <span className={`cut ${classes.name}`}>{item.name}</span>
      <span className={`cut small dim ${classes.whose}`}>{item.run_title ?? item.agent_name ?? item.agent}</span>
      <span className={classes.when}>
        <Ago at={item.created_at} />
      </span>
    </Link>
  );
}
