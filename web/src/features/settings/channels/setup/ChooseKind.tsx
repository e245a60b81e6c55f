import { Link } from "@tanstack/react-router";
import { useMe } from "@/api/me";
import type { ChannelKind } from "@/api/types";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { KINDS } from "../channel/channelKinds";
import classes from "./setup.module.css";

/** The first step to a new channel. */
export function ChooseKind() {
  const operator = useMe().installation_admin;
  return (
    <ul className={`card ${page.list} ${classes.kinds}`} aria-label="Kinds of channels">
      {(Object.keys(KINDS) as ChannelKind[]).map((kind) => (
        <Kind key={kind} kind={kind} barred={kind === "apprise" && !operator} />
      ))}
    </ul>
  );
}

interface KindProps {
  kind: ChannelKind;
  /** Whether this reader cannot set it up. */
  barred: boolean;
}

/** Browser push has no set-up: everyone switches it on for their own browsers. */
const searchOf = (kind: ChannelKind) =>
  kind === "push" ? ({ section: "notifications" } as const) : ({ section: "channels", add: kind } as const);

function Kind({ kind, barred }: KindProps) {
  const { label, icon, about } = KINDS[kind];
  return (
    <li className={classes.kind}>
      <span className={classes.icon}>
        <Icon name={icon} />
      </span>
      <span className="grow">
        {barred ? (
          <b>{label}</b>
        ) : (
          <Link className={classes.choose} to="/settings" search={searchOf(kind)}>
            {label}
          </Link>
        )}
        <span className={`small dim ${classes.about}`}>{about}</span>
        {kind === "push" && (
          <span className={`small dim ${classes.about}`}>
            Nothing to set up: everyone switches it on for their own browsers, under Notifications.
          </span>
        )}
        {barred && <span className={`small dim ${classes.about}`}>Only an installation admin can set this up.</span>}
      </span>
      {!barred && <Icon name="chevron-right" size={14} className="dim" />}
    </li>
  );
}
