import "@/ui/switch.css";
import { Button, Switch } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { Connection } from "@/api/types";
import { Icon } from "@/ui/icons";
import { failed } from "@/ui/overlay/toast";
import { TestOutcome, useConnectionTest } from "./connection/ConnectionTest";
import { KINDS, placeWords, toolWords } from "./connection/connectionKinds";
import { useRereadConnections } from "./connection/useConnections";
import classes from "./connections.module.css";

/** One connection: where it leads, whether it works, a test, and the switch. */
export function ConnectionRow({ connection, admin }: { connection: Connection; admin: boolean }) {
  const { id, kind, name, slug, enabled } = connection;
  const reread = useRereadConnections();
  const test = useConnectionTest();
  const change = api.useMutation("patch", "/api/connections/{connection_id}", { onSuccess: reread, onError: failed });
  const path = { params: { path: { connection_id: id } } };
  // The switch follows at once; what was refused goes back with the toast.
  const on = change.isPending ? (change.variables.body.enabled ?? enabled) : enabled;
  return (
    <li className={classes.row} aria-label={name}>
      <span className={classes.icon}>
        <Icon name={KINDS[kind].icon} />
      </span>
      <div className={classes.what}>
        <p>
          {admin ? (
            <Link className={classes.name} to="/connections" search={{ connection: id }}>
              {name}
            </Link>
          ) : (
            <b>{name}</b>
          )}{" "}
          <span className="small dim">{KINDS[kind].label}</span>
        </p>
        <p className="small dim">
          <code>{slug}</code> {placeWords(connection)}
        </p>
        <State connection={connection} />
      </div>
      {admin && (
        <div className={classes.actions}>
          <Button
            className={classes.test}
            size="compact-sm"
            variant="default"
            aria-label={`Test ${name}`}
            loading={test.isPending}
            onClick={() => test.mutate(path)}
          >
            Test
          </Button>
          <Switch
            className={classes.switch}
            aria-label={`${name} is on`}
            checked={on}
            onChange={({ currentTarget }) => change.mutate({ ...path, body: { enabled: currentTarget.checked } })}
          />
        </div>
      )}
      <div className={classes.below}>
        <TestOutcome test={test} />
      </div>
    </li>
  );
}

function State({ connection }: { connection: Connection }) {
  const { enabled, last_error, runs } = connection;
  const used = runs > 0 && `${runs} ${runs === 1 ? "run" : "runs"} may use it`;
  const words = [toolWords(connection), used].filter(Boolean).join(" · ");
  return (
    <p className="small">
      {!enabled && <span className="dim">Off: no run can use it. </span>}
      {last_error ? <span className={classes.error}>{last_error}</span> : <span className="dim">{words}</span>}
    </p>
  );
}
