import { Button, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAgentNames } from "@/api/agentNames";
import type { components } from "@/api/schema";
import { Icon } from "@/ui/icons";
import { Ago } from "@/ui/time/clock";
import { Fields } from "@/ui/values/Values";
import classes from "./audit.module.css";
import { actionWords, actorWords, placeOf, subjectWords } from "./auditWords";

type AuditEntry = components["schemas"]["AuditEntryOut"];

/** One line of the record; opened, all that was written down. */
export function AuditEntry({ entry, onRun }: { entry: AuditEntry; onRun: (runId: string) => void }) {
  const [open, setOpen] = useState(false);
  const details = Object.entries(entry.data);
  const { run_id: runId } = entry;
  const actor = actorWords(entry.actor, useAgentNames());
  return (
    <div>
      <div className={classes.line}>
        <span className={`num dim ${classes.number}`}>{entry.number}</span>
        <span className={`cut ${classes.actor}`} title={entry.actor}>
          {actor.isAgent && <Icon name="bot" size={14} aria-label="Agent" />} {actor.name}
        </span>
        <UnstyledButton className={classes.action} aria-expanded={open} onClick={() => setOpen(!open)}>
          {actionWords(entry)}
        </UnstyledButton>
        <Subject entry={entry} />
        <span className={classes.when}>
          <Ago at={entry.at} />
        </span>
        <Icon name="chevron-right" size={14} className={classes.chevron} />
      </div>
      {open && (
        <div className={classes.body}>
          {details.length > 0 && <Fields values={details} />}
          <Fields
            values={[
              ["action", entry.action],
              ["at", new Date(entry.at).toLocaleString()],
              ["subject", entry.subject],
              ["hash", entry.hash],
              ["previous", entry.previous],
            ]}
          />
          {runId && (
            <div className="row">
              <Link to="/runs/$runId" params={{ runId }}>
                The run
              </Link>
              <Button size="compact-sm" variant="default" onClick={() => onRun(runId)}>
                Only this run
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

function Subject({ entry }: { entry: AuditEntry }) {
  const place = placeOf(entry);
  const words = subjectWords(entry);
  return (
    <span className={`cut dim ${classes.subject}`}>
      {place === null ? (
        words
      ) : "askId" in place ? (
        <Link to="/asks/$askId" params={place}>
          {words || "The ask"}
        </Link>
      ) : (
        <Link to="/runs/$runId" params={place}>
          {words || "The run"}
        </Link>
      )}
    </span>
  );
}
