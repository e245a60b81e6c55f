import { Link, useMatchRoute } from "@tanstack/react-router";
import { Icon } from "@/ui/icons";
import classes from "./shell.module.css";

export function NavLinks({ open }: { open: number }) {
  const inAsk = Boolean(useMatchRoute()({ to: "/asks/$askId" }));
  return (
    <>
      <Link
        to="/"
        className={classes.link}
        activeOptions={{ exact: true }}
        {...(inAsk && { "data-status": "active", "aria-current": "page" })}
      >
        <Icon name="inbox" size={17} /> Inbox
        {open > 0 && (
          <span className={classes.count}>
            {open > 99 ? "99+" : open}
            <span hidden> open</span>
          </span>
        )}
      </Link>
      <Link to="/runs" className={classes.link}>
        <Icon name="activity" size={17} /> Runs
      </Link>
      <Link to="/agents" className={classes.link}>
        <Icon name="bot" size={17} /> Agents
      </Link>
    </>
  );
}
