import { Button, Checkbox, NativeSelect, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import { useMay } from "@/api/roles";
import type { Connection, ConnectionTool } from "@/api/types";
import { RiskTag } from "@/ui/domain/RiskTag";
import { Icon } from "@/ui/icons";
import { failed } from "@/ui/overlay/toast";
import { Tag } from "@/ui/Tag";
import { useRereadConnections } from "../connection/useConnections";
import classes from "./tools.module.css";

type Risk = ConnectionTool["risk"];

const RISKS = [
  { value: "", label: "As its server says" },
  { value: "low", label: "Low risk" },
  { value: "medium", label: "Medium risk" },
  { value: "high", label: "High risk" },
  { value: "critical", label: "Critical risk" },
];

/** One tool: what it says of itself, how risky it counts, and whether somebody has looked at it. */
export function ToolReview({ connection, tool }: { connection: Connection; tool: ConnectionTool }) {
  const admin = useMay("admin");
  const [open, setOpen] = useState(false);
  return (
    <li className={classes.tool}>
      <UnstyledButton className={classes.head} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="chevron-right" size={14} />
        <code className="grow">{tool.name}</code>
        {connection.kind === "mcp" && <ReviewTag tool={tool} />}
        <RiskTag level={tool.risk} short />
      </UnstyledButton>
      {open && (
        <div className={classes.open}>
          <p className={classes.description}>{tool.description || "It does not describe itself."}</p>
          <p className="small dim">{tool.reasons.join(" ")}</p>
          {Object.keys(tool.annotations).length > 0 && (
            <p className="small dim">
              Its server says:{" "}
              {Object.entries(tool.annotations)
                .map(([name, value]) => `${name} ${String(value)}`)
                .join(", ")}
            </p>
          )}
          <details>
            <summary className="small">Arguments</summary>
            <pre className={classes.schema}>{JSON.stringify(tool.schema, null, 2)}</pre>
          </details>
          {admin && connection.kind === "mcp" && <Review connection={connection} tool={tool} />}
        </div>
      )}
    </li>
  );
}

function ReviewTag({ tool }: { tool: ConnectionTool }) {
  if (tool.reviewed) return <Tag tone="calm">Reviewed</Tag>;
  return <Tag tone="warn">{tool.changed ? "Changed since its review" : "Not reviewed"}</Tag>;
}

function Review({ connection, tool }: { connection: Connection; tool: ConnectionTool }) {
  const reread = useRereadConnections();
  // Whoever looks again at a tool that changed begins with what was said of it before.
  const [risk, setRisk] = useState<Risk | "">(tool.given_risk ?? "");
  const [tries, setTries] = useState(false);
  const [argument] = tool.dry_run_arguments;
  const review = api.useMutation("post", "/api/connections/{connection_id}/tools/{tool}/review", {
    onSuccess: reread,
    onError: failed,
  });
  const send = (reviewed: boolean) =>
    review.mutate({
      params: { path: { connection_id: connection.id, tool: tool.name } },
      body: {
        reviewed,
        risk: reviewed && risk ? risk : null,
        fingerprint: tool.fingerprint,
        dry_run: reviewed && tries ? argument : null,
      },
    });
  if (tool.reviewed)
    return (
      <>
        <Checkbox
          label={`Reviewed by ${tool.reviewed_by}`}
          checked
          disabled={review.isPending}
          onChange={() => send(false)}
        />
        {tool.dry_run && (
          <p className="small dim">
            Asks show its dry run (<code>{tool.dry_run}</code>).
          </p>
        )}
      </>
    );
  return (
    <div className="row wrap">
      {argument && (
        <Checkbox
          size="xs"
          className={classes.tries}
          label={
            <>
              It has a dry run: with <code>{argument}</code> it changes nothing
            </>
          }
          description="Asks then show what the server says to it. The server gets a call's arguments before anybody approves it."
          checked={tries}
          onChange={({ currentTarget }) => setTries(currentTarget.checked)}
        />
      )}
      <NativeSelect
        size="xs"
        aria-label={`Risk of ${tool.name}`}
        value={risk}
        onChange={({ currentTarget }) => setRisk(currentTarget.value as Risk | "")}
        data={RISKS}
      />
      <Button size="compact-sm" variant="default" loading={review.isPending} onClick={() => send(true)}>
        I have reviewed it
      </Button>
    </div>
  );
}
