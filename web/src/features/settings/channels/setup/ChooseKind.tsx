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
        <Kind key={kind} kind={kind} instead={insteadWords(kind, operator)} />
      ))}
    </ul>
  );
}

/** Why a kind cannot be chosen. */
function insteadWords(kind: ChannelKind, operator: boolean): string | null {
  if (kind === "push") return "Nothing to set up: everyone switches it on for their own browsers, under Notifications.";
  if (kind === "apprise" && !operator) return "Only an installation admin can set this up.";
  return null;
}

function Kind({ kind, instead }: { kind: ChannelKind; instead: string | null }) {
  const { label, icon, about } = KINDS[kind];
  return (
    <li className={classes.kind}>
      <span className={classes.icon}>
        <Icon name={icon} />
      </span>
      <span className="grow">
        {instead ? (
          <b>{label}</b>
        ) : (
          <Link className={classes.choose} to="/settings" search={{ section: "channels", add: kind }}>
            {label}
          </Link>
        )}
        <span className={`small dim ${classes.about}`}>{about}</span>
        {instead && <span className={`small dim ${classes.about}`}>{instead}</span>}
      </span>
      {!instead && <Icon name="chevron-right" size={14} className="dim" />}
    </li>
  );
}
