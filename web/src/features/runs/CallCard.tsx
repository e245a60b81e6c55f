import { Collapse, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { Call } from "@/api/types";
import { Icon, type IconName } from "@/ui/icons";
import { summary } from "@/ui/reading";
import { duration } from "@/ui/time";
import { Fields, Value } from "@/ui/Values";
import classes from "./run.module.css";

type CallStatus = "proposed" | "waiting" | "approved" | "started" | "succeeded" | "failed" | "denied" | "unknown";

const STATUSES: Record<CallStatus, { label: string; icon: IconName; tone: string }> = {
  proposed: { label: "Proposed", icon: "clock", tone: "calm" },
  waiting: { label: "Waits for a person", icon: "hourglass", tone: "warn" },
  approved: { label: "Approved", icon: "check", tone: "info" },
  started: { label: "Running", icon: "loader-circle", tone: "info" },
  succeeded: { label: "Done", icon: "circle-check", tone: "good" },
  failed: { label: "Failed", icon: "circle-x", tone: "bad" },
  denied: { label: "Refused", icon: "ban", tone: "bad" },
  unknown: { label: "May have happened", icon: "circle-help", tone: "warn" },
};

// The agent's own means act on nothing outside, so they stand back.
const OWN = new Set(["report_progress", "create_deliverable", "ask_question", "complete_task"]);

/** One tool call: a line to skim, more when opened. */
export function CallCard({ call }: { call: Call }) {
  const [open, setOpen] = useState(false);
  const { label, icon, tone } = STATUSES[call.status as CallStatus];
  return (
    <div className={classes.call} data-tone={tone} data-own={OWN.has(call.tool) || undefined}>
      <UnstyledButton className={classes.callHead} onClick={() => setOpen(!open)} aria-expanded={open}>
        <Icon name={icon} size={15} className={call.status === "started" ? "spin" : undefined} aria-label={label} />
        <code className={classes.tool}>{call.tool}</code>
        <span className="cut grow dim">{summary(call.arguments)}</span>
        <span className="dim tiny">{call.status === "succeeded" ? took(call) : label}</span>
        <Icon name="chevron-right" size={14} className={classes.chevron} />
      </UnstyledButton>
      <Collapse expanded={open}>
        <div className={classes.callBody}>
          <Fields values={Object.entries(call.arguments)} />
          {call.error && <p className={classes.error}>{call.error}</p>}
          {call.result != null && (
            <div>
              <div className="label">Result</div>
              <Value value={call.result} />
            </div>
          )}
        </div>
      </Collapse>
    </div>
  );
}

function took({ started_at, ended_at }: Call): string {
  if (!started_at || !ended_at) return "";
  const seconds = (Date.parse(ended_at) - Date.parse(started_at)) / 1000;
  return seconds >= 1 ? duration(seconds) : "";
}
