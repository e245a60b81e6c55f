import { Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Problem } from "@/api/problems";
import type { NeededConnection } from "@/api/types";
import { Icon } from "@/ui/icons";
import classes from "../runs.module.css";

interface MissingConnectionsProps {
  missing: NeededConnection[];
  startsWithout: boolean;
  onChange: (startsWithout: boolean) => void;
}

/** What the agent needs and does not have, and why it needs it. Without what is required, only a person's word starts it. */
export function MissingConnections({ missing, startsWithout, onChange }: MissingConnectionsProps) {
  if (missing.length === 0) return null;
  const required = missing.filter((each) => each.required);
  return (
    <div className={`small ${classes.missing}`}>
      <p>
        <Icon name="triangle-alert" size={14} /> This agent needs what is not there. <SetUpConnections />
      </p>
      <ul>
        {missing.map(({ slug, reason, required, connection }) => (
          <li key={slug}>
            <strong>{connection?.name ?? slug}</strong> ({required ? "required" : "optional"},{" "}
            {connection ? "switched off" : "not set up"}){reason && `: ${reason}`}
          </li>
        ))}
      </ul>
      {required.length > 0 && (
        <Checkbox
          label={required.length > 1 ? "Start without them" : "Start without it"}
          description="It may not get far."
          checked={startsWithout}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )}
    </div>
  );
}

export const isMissing = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === "connections_missing";

/** Why nothing was started, and what to do. */
export function RefusedWithout({ refused }: { refused: Problem }) {
  const reasons = refused.errors.map(({ path, message }) => `${path.replace(/^connections\./, "")}: ${message}`);
  return (
    <>
      Not started. {refused.detail} {reasons.join("; ")}. <SetUpConnections />, or say above that it starts without.
    </>
  );
}

/** In another tab: what is typed here stays, and what was set up there is seen on the way back. */
function SetUpConnections() {
  return (
    <Link to="/connections" target="_blank" style={{ textDecoration: "underline" }}>
      Set up connections
    </Link>
  );
}
