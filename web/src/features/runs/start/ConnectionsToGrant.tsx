import { Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { Connection } from "@/api/types";
import { Icon } from "@/ui/icons";
import { NamesField } from "@/ui/NamesField";
import classes from "../runs.module.css";
import { type Granted, withGrant, withoutGrant } from "./grants";

/** What a run could be given, and what its agent needs of it. */
export const useAvailableConnections = (agent: string) =>
  api.useQuery("get", "/api/personas/{slug}/available-connections", { params: { path: { slug: agent } } }).data;

interface ConnectionsToGrantProps {
  available: ReturnType<typeof useAvailableConnections>;
  /** What is granted beside what the agent needs. */
  granted: Granted;
  onChange: (granted: Granted) => void;
}

/** Slugs of what can be granted beside what the agent needs. */
export const offeredBeside = (available: ConnectionsToGrantProps["available"]) =>
  available?.others.flatMap(({ enabled, slug }) => (enabled ? [slug] : [])) ?? [];

/** Which outside systems the run may use. What its agent needs comes by itself, what is missing is said before the start. */
export function ConnectionsToGrant({ available, granted, onChange }: ConnectionsToGrantProps) {
  if (!available) return null;
  const { needed, missing, others } = available;
  const offered = others.filter(({ enabled }) => enabled);
  if (needed.length === 0 && offered.length === 0) return null;
  const there = needed.flatMap(({ available: found, connection }) => (found && connection ? [connection] : []));
  return (
    <fieldset className={classes.connections}>
      <legend>Connections</legend>
      {missing.length > 0 && (
        <p className={`small ${classes.missing}`}>
          <Icon name="triangle-alert" size={14} /> Missing: {missing.join(", ")}. It starts without, and may not get
          far. <Link to="/connections">Set up connections</Link>
        </p>
      )}
      {there.map((connection) => (
        <Checkbox key={connection.id} label={<Label connection={connection} needed />} checked readOnly disabled />
      ))}
      {offered.map((connection) => {
        const { slug } = connection;
        const tools = granted[slug];
        return (
          <div key={connection.id}>
            <Checkbox
              label={<Label connection={connection} />}
              checked={tools !== undefined}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? withGrant(granted, slug, []) : withoutGrant(granted, slug))
              }
            />
            {tools && (
              <ToolsToGrant
                connection={connection}
                chosen={tools}
                onChange={(chosen) => onChange(withGrant(granted, slug, chosen))}
              />
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

interface ToolsToGrantProps {
  connection: Connection;
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** Some of its tools, or all where none is named. */
function ToolsToGrant({ connection, chosen, onChange }: ToolsToGrantProps) {
  const path = { params: { path: { connection_id: connection.id } } };
  const tools = api.useQuery("get", "/api/connections/{connection_id}/tools", path).data?.items ?? [];
  return (
    <NamesField
      aria-label={`Tools of ${connection.name}`}
      placeholder="All of its tools, or choose some"
      limit={500}
      value={chosen}
      offered={tools.map(({ name }) => name)}
      onChange={onChange}
    />
  );
}

function Label({ connection, needed = false }: { connection: Connection; needed?: boolean }) {
  return (
    <>
      {connection.name} {needed && <span className="dim">needed by this agent</span>}{" "}
      {connection.last_error && <span className={classes.missing}>did not answer last time</span>}
    </>
  );
}
