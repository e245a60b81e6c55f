import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMay } from "@/api/roles";
import type { Delivery } from "@/api/types";
import { Tag } from "@/ui/Tag";
import classes from "./deliveries.module.css";
import { useSendAgain } from "./useSendAgain";

/** Every try, what it is about, and sending it once more. */
export function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const admin = useMay("admin");
  const again = useSendAgain();
  const { id, attempts, ask_id: askId, run_id: runId, status, may_retry } = delivery;
  return (
    <div className={classes.body}>
      <p className="dim">Queued {new Date(delivery.created_at).toLocaleString()}</p>
      {admin && attempts.length === 0 && <p className="dim">Not tried yet.</p>}
      {attempts.length > 0 && (
        <ol className={classes.attempts} aria-label="Tries">
          {attempts.map((attempt) => (
            <li key={`${attempt.purpose} ${attempt.number} ${attempt.started_at}`}>
              <Attempt attempt={attempt} />
            </li>
          ))}
        </ol>
      )}
      <div className="row wrap">
        {askId && (
          <Link to="/asks/$askId" params={{ askId }}>
            The ask
          </Link>
        )}
        {runId && (
          <Link to="/runs/$runId" params={{ runId }}>
            The run
          </Link>
        )}
        {may_retry && status !== "failed" && (
          <Button
            size="compact-sm"
            variant="default"
            loading={again.isPending}
            onClick={() => again.mutate({ params: { path: { delivery_id: id } } })}
          >
            Send again
          </Button>
        )}
      </div>
    </div>
  );
}

function Attempt({ attempt }: { attempt: Delivery["attempts"][number] }) {
  const { purpose, repeated, started_at, ended_at, outcome, error } = attempt;
  const what = purpose === "update" ? "Change of the message" : "Sending";
  const how = outcome === "sent" ? "done" : outcome === "failed" ? "failed" : "no end known: it may have come through";
  return (
    <>
      <span className="num">{new Date(started_at).toLocaleString()}</span> {what}:{" "}
      {outcome === null && !ended_at ? how : <b>{how}</b>}{" "}
      {repeated && (
        <Tag tone="warn" plain title="The try before has no known end, so this message may be the second one">
          May be a repeat
        </Tag>
      )}
      {error && <span className={classes.error}>{error}</span>}
    </>
  );
}
