import { UnstyledButton } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { api } from "@/api/client";
import { onEvent } from "@/api/live/useLive";
import type { Run } from "@/api/types";
import { Icon } from "@/ui/icons";
import rows from "@/ui/list/compactList.module.css";
import { size } from "@/ui/preview/fileSize";
import classes from "../run.module.css";

const RunFileDialog = lazy(() => import("./RunFileDialog"));
const SHOWN = 8;

/** What lies in the run's own folder. */
export function RunFiles({ run }: { run: Run }) {
  const queries = useQueryClient();
  const params = { path: { run_id: run.id } };
  const list = api.useQuery("get", "/api/runs/{run_id}/files", { params });
  const [viewed, setViewed] = useState<string | null>(null);
  const [all, setAll] = useState(false);
  useEffect(
    () =>
      onEvent((event) => {
        if (event.run_id === run.id && event.type === "call.finished")
          queries.invalidateQueries({ queryKey: ["get", "/api/runs/{run_id}/files"] });
      }),
    [queries, run.id],
  );
  const files = list.data?.items ?? [];
  if (files.length === 0) return null;
  return (
    <section className={`card ${classes.panel}`} aria-label="Files">
      <h2>Files</h2>
      <ul className={rows.list}>
        {files.slice(0, all ? undefined : SHOWN).map(({ path, size_bytes }) => (
          <li key={path} className={rows.item}>
            <UnstyledButton className={rows.open} onClick={() => setViewed(path)}>
              <Icon name="file-text" size={16} />
              <span className="grow small" style={{ overflowWrap: "anywhere" }}>
                {path}
              </span>
              <span className="tiny dim num">{size(size_bytes)}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {files.length > SHOWN && !all && (
        <UnstyledButton className="small dim" onClick={() => setAll(true)}>
          {files.length - SHOWN} more
        </UnstyledButton>
      )}
      {viewed && (
        <Suspense>
          <RunFileDialog runId={run.id} path={viewed} onClose={() => setViewed(null)} />
        </Suspense>
      )}
    </section>
  );
}
