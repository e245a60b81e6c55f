import { Button } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { needsWords, useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { ConnectionRow } from "./ConnectionRow";
import { KINDS } from "./connection/connectionKinds";
import type { ConnectionsSearch } from "./connection/connectionsSearch";
import { useConnections } from "./connection/useConnections";
import classes from "./connections.module.css";
import { ChooseConnection } from "./setup/ChooseConnection";
import { ChangeConnection, SetUpNewConnection } from "./setup/SetUpConnection";

/** The outside systems that agents work with: all of them, one, or a new one. */
export function ConnectionsPage({ search }: { search: ConnectionsSearch }) {
  const admin = useMay("admin");
  const navigate = useNavigate();
  const [made, setMade] = useState<string>();
  const list = useConnections();
  if (list.isPending) return <Loading lines={4} />;
  if (!list.data)
    return <Failed what="Couldn't load the connections" error={list.error} retry={() => list.refetch()} />;
  const connections = list.data.items;
  const { add, ready } = search;
  if (!search.connection && !add) return <ConnectionList admin={admin} />;
  if (!admin)
    return (
      <div className={page.page}>
        <Back title="Connection" />
        <p className="dim">{needsWords("admin", "set up connections")}</p>
      </div>
    );
  if (add)
    return (
      <div className={page.page}>
        <Back title={add === "any" ? "New connection" : `New connection: ${KINDS[add].label}`} />
        {add === "any" ? (
          <ChooseConnection />
        ) : (
          <SetUpNewConnection
            key={`${add} ${ready}`}
            kind={add}
            ready={ready}
            taken={connections.map(({ slug }) => slug)}
            onMade={({ id }) => {
              setMade(id);
              return navigate({ to: "/connections", search: { connection: id }, replace: true, ignoreBlocker: true });
            }}
          />
        )}
      </div>
    );
  const connection = connections.find(({ id }) => id === search.connection);
  return (
    <div className={page.page}>
      <Back title={connection ? connection.name : "Connection"} about={connection && KINDS[connection.kind].label} />
      {connection ? (
        <ChangeConnection key={connection.id} connection={connection} fresh={made === connection.id} />
      ) : (
        <Empty icon="plug" title="This connection is gone">
          It was deleted, or the link is wrong.
        </Empty>
      )}
    </div>
  );
}

function ConnectionList({ admin }: { admin: boolean }) {
  const connections = useConnections().data?.items ?? [];
  const add = (
    <Button
      leftSection={<Icon name="plus" />}
      renderRoot={(props) => <Link {...props} to="/connections" search={{ add: "any" }} />}
    >
      Add a connection
    </Button>
  );
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>Connections</h1>
        {admin && connections.length > 0 && add}
      </header>
      <p className={page.lead}>
        Outside systems that runs can be given: MCP servers, databases, web services, mail, Slack.{" "}
        {!admin && needsWords("admin", "set up connections")}
      </p>
      {connections.length === 0 ? (
        <div className="card">
          <Empty icon="plug" title="No connections yet" action={admin && add}>
            {admin
              ? "Connect an MCP server, a database or a web service. What agents do there is judged by your rules."
              : "When an admin adds one, runs can be given its tools."}
          </Empty>
        </div>
      ) : (
        <ul className={`card ${page.list} ${classes.rows}`} aria-label="Connections">
          {connections.map((connection) => (
            <ConnectionRow key={connection.id} connection={connection} admin={admin} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Back({ title, about }: { title: string; about?: string }) {
  return (
    <header className={classes.back}>
      <Link to="/connections">
        <Icon name="arrow-left" size={14} /> Connections
      </Link>
      <h1>{title}</h1>
      {about && about !== title && <span className="dim">{about}</span>}
    </header>
  );
}
