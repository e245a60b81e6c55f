import { Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { Connection } from "@/api/types";
import { Icon } from "@/ui/icons";
import classes from "../runs.module.css";

/** What a run could be given, and what its agent needs of it. */
export const useAvailableConnections = (agent: string) =>
  api.useQuery("get", "/api/personas/{slug}/available-connections", { params: { path: { slug: agent } } }).data;

interface ConnectionsToGrantProps {
  available: ReturnType<typeof useAvailableConnections>;
  /** Slugs of what is granted beside what the agent needs. */
  granted: string[];
  onChange: (granted: string[]) => void;
}

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
      {offered.map((connection) => (
        <Checkbox
          key={connection.id}
          label={<Label connection={connection} />}
          checked={granted.includes(connection.slug)}
          onChange={({ currentTarget }) =>
            onChange(
              currentTarget.checked
                ? [...granted, connection.slug]
                : granted.filter((slug) => slug !== connection.slug),
            )
          }
        />
      ))}
    </fieldset>
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
