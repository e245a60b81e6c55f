import { Checkbox } from "@mantine/core";
import { api } from "@/api/client";
import type { Connection } from "@/api/types";
import { NamesField } from "@/ui/NamesField";
import classes from "../runs.module.css";
import { type Granted, withGrant, withoutGrant } from "./grants";
import { MissingConnections } from "./MissingConnections";

/** What a run could be given, and what its agent needs of it; looked at again by who comes back from setting it up. */
export const useAvailableConnections = (agent: string) =>
  api.useQuery(
    "get",
    "/api/personas/{slug}/available-connections",
    { params: { path: { slug: agent } } },
    { refetchOnWindowFocus: "always" },
  );

interface ConnectionsToGrantProps {
  available: ReturnType<typeof useAvailableConnections>["data"];
  /** What is granted beside what the agent needs. */
  granted: Granted;
  onChange: (granted: Granted) => void;
  startsWithout: boolean;
  onStartWithout: (startsWithout: boolean) => void;
}

/** Slugs of what can be granted beside what the agent needs. */
export const offeredBeside = (available: ConnectionsToGrantProps["available"]) =>
  available?.others.flatMap(({ enabled, slug }) => (enabled ? [slug] : [])) ?? [];

/** Which outside systems the run may use. What its agent needs comes by itself, what is missing is said before the start. */
export function ConnectionsToGrant(props: ConnectionsToGrantProps) {
  const { available, granted, onChange, startsWithout, onStartWithout } = props;
  if (!available) return null;
  const { needed, others } = available;
  const offered = others.filter(({ enabled }) => enabled);
  if (needed.length === 0 && offered.length === 0) return null;
  const there = needed.flatMap(({ available: found, connection, reason }) =>
    found && connection ? [{ connection, reason }] : [],
  );
  return (
    <fieldset className={classes.connections}>
      <legend>Connections</legend>
      <MissingConnections
        missing={needed.filter(({ available: found }) => !found)}
        startsWithout={startsWithout}
        onChange={onStartWithout}
      />
      {there.map(({ connection, reason }) => (
        <Checkbox
          key={connection.id}
          label={<Label connection={connection} needed />}
          description={reason}
          checked
          readOnly
          disabled
        />
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
