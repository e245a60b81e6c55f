import { useState } from "react";
import { api } from "@/api/client";
import { useMemberNames } from "@/api/memberNames";
import type { Ask } from "@/api/types";
import { Failed, Loading } from "@/ui/States";
import { Ago } from "@/ui/time/clock";
import classes from "../ask.module.css";

const WORDS: Record<string, string> = {
  "ask.opened": "asked",
  "ask.signed": "signed",
  "ask.edited": "changed it",
  "ask.struck_out": "voided a signature",
  "ask.assigned": "assigned it",
  "ask.commented": "commented",
  "ask.answered": "decided",
  "ask.cancelled": "cancelled it",
  "ask.expired": "time ran out",
  "ask.escalated": "escalated it",
  "ask.reminded": "sent a reminder",
};

/** What happened to this ask, from the record; read when somebody wants to know. */
export function AskHistory({ ask }: { ask: Ask }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={classes.fold} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>History</summary>
      {open && <Entries askId={ask.id} />}
    </details>
  );
}

function Entries({ askId }: { askId: string }) {
  const named = useMemberNames();
  const entries = api.useQuery("get", "/api/audit", { params: { query: { subject: askId, limit: 50 } } });
  if (entries.isPending) return <Loading lines={2} height={22} />;
  if (entries.isError)
    return <Failed what="Couldn't load the history" error={entries.error} retry={() => entries.refetch()} />;
  return (
    <ol className={classes.history}>
      {entries.data.items.toReversed().map((entry) => (
        <li key={entry.id}>
          <strong>{named(entry.actor)}</strong> {WORDS[entry.action] ?? entry.action}
          {detail(entry.data, named)}{" "}
          <span className="dim small">
            <Ago at={entry.at} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function detail(data: Record<string, unknown> | null | undefined, named: (label: string) => string): string {
  const { to, status, signatures, of, by, why } = data ?? {};
  if (typeof why === "string" && typeof by === "string") return `: ${named(by)} ${why}`;
  if (typeof to === "string") return ` to ${named(to)}`;
  if (typeof signatures === "number") return ` (${signatures} of ${of})`;
  return typeof status === "string" ? `: ${status}` : "";
}
