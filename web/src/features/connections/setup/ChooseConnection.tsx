import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMe } from "@/api/me";
import type { ConnectionKind } from "@/api/types";
import { Icon, type IconName } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import { KINDS } from "../connection/connectionKinds";
import classes from "./setup.module.css";
import { useKnownServers } from "./useKnownServers";

const COMMANDS_NEED = "It runs a command on the server, so only an installation admin can add it.";

/** The first step to a new connection: what it is for. */
export function ChooseConnection() {
  const operator = useMe().installation_admin;
  const known = useKnownServers();
  return (
    <>
      <ul className={`card ${page.list} ${classes.kinds}`} aria-label="Kinds of connections">
        {(Object.keys(KINDS) as ConnectionKind[]).map((kind) => {
          const { label, icon, about } = KINDS[kind];
          return (
            <Choice key={kind} icon={icon} about={about}>
              <Link className={classes.choose} to="/connections" search={{ add: kind }}>
                {label}
              </Link>
            </Choice>
          );
        })}
      </ul>
      <h2 className={classes.more}>Well-known MCP servers</h2>
      {known.isPending && <Loading lines={4} />}
      {known.isError && <Failed what="Couldn't load them" error={known.error} retry={() => known.refetch()} />}
      <ul className={`card ${page.list} ${classes.kinds}`} aria-label="Well-known MCP servers">
        {known.data?.items.map(({ slug, name, description, runs_command }) => {
          const refused = runs_command && !operator;
          return (
            <Choice
              key={slug}
              icon="plug"
              about={refused ? `${description} ${COMMANDS_NEED}` : description}
              refused={refused}
            >
              {refused ? (
                <b>{name}</b>
              ) : (
                <Link className={classes.choose} to="/connections" search={{ add: "mcp", ready: slug }}>
                  {name}
                </Link>
              )}
            </Choice>
          );
        })}
      </ul>
    </>
  );
}

interface ChoiceProps {
  icon: IconName;
  about: string;
  /** Not for this person, so it leads nowhere. */
  refused?: boolean;
  children: ReactNode;
}

function Choice({ icon, about, refused = false, children }: ChoiceProps) {
  return (
    <li className={classes.kind}>
      <span className={classes.icon}>
        <Icon name={icon} />
      </span>
      <span className="grow">
        {children}
        <span className={`small dim ${classes.about}`}>{about}</span>
      </span>
      {!refused && <Icon name="chevron-right" size={14} className="dim" />}
    </li>
  );
}
