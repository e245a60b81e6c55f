import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import { useMay } from "@/api/roles";
import type { components } from "@/api/schema";
import type { Run } from "@/api/types";
import { hasEnded } from "@/ui/domain/runs/runStatus";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed, said } from "@/ui/overlay/toast";
import classes from "../run.module.css";

type Grant = components["schemas"]["GrantOut"];

/** Which outside systems it may use, and the way to take that back. */
export function RunConnections({ run }: { run: Run }) {
  const may = useMay("member") && !hasEnded(run);
  const [asked, setAsked] = useState<Grant>();
  const queries = useQueryClient();
  const path = { run_id: run.id };
  const grants = api.useQuery("get", "/api/runs/{run_id}/connections", { params: { path } }).data?.items ?? [];
  const revoke = api.useMutation("delete", "/api/runs/{run_id}/connections/{connection_id}", {
    onSuccess: async () => {
      said("It can't use that any more.");
      setAsked(undefined);
      await queries.invalidateQueries({ queryKey: keyOf("/api/runs/{run_id}/connections") });
    },
    onError: failed,
  });
  if (grants.length === 0) return null;
  return (
    <section className={`card ${classes.panel}`} aria-label="Connections">
      <h2>Connections</h2>
      <ul className={classes.grants}>
        {grants.map((grant) => (
          <li key={grant.connection_id}>
            <span className="grow">
              {grant.name} <span className="tiny dim">{grantWords(grant)}</span>
            </span>
            {may && !grant.revoked_at && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Revoke ${grant.name}`}
                onClick={() => setAsked(grant)}
              >
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
      {asked && (
        <ConfirmDialog
          title={`Revoke ${asked.name}?`}
          action="Revoke"
          cancel="Keep it"
          danger
          pending={revoke.isPending}
          onConfirm={() => revoke.mutate({ params: { path: { ...path, connection_id: asked.connection_id } } })}
          onClose={() => setAsked(undefined)}
        >
          Nothing more of this run, or of the runs that it started, begins there. A call that has begun goes on to its
          end.{run.kind === "workflow" && " A step that can't do without it fails."}
        </ConfirmDialog>
      )}
    </section>
  );
}

function grantWords({ revoked_at, enabled, tools }: Grant): string {
  if (revoked_at) return "revoked";
  if (!enabled) return "switched off";
  return tools === null ? "all tools" : tools.join(", ");
}
