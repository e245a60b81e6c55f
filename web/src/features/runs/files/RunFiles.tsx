import { UnstyledButton } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { api } from "@/api/client";
import { onEvent } from "@/api/live/useLive";
import { keyOf } from "@/api/queryKeys";
import { useMay } from "@/api/roles";
import type { Run, UploadList } from "@/api/types";
import { upload } from "@/api/upload";
import { hasEnded } from "@/ui/domain/runs/runStatus";
import { Icon } from "@/ui/icons";
import rows from "@/ui/list/compactList.module.css";
import { failed, said } from "@/ui/overlay/toast";
import { size } from "@/ui/preview/fileSize";
import { Failed } from "@/ui/States";
import page from "../run.module.css";
import { FileDrop } from "./FileDrop";
import { addUrl, folderZipUrl } from "./fileLinks";
import classes from "./files.module.css";

const RunFileBrowser = lazy(() => import("./RunFileBrowser"));
const SHOWN = 8;

/** What lies in the run's own folder, and a place to put more. */
export function RunFiles({ run }: { run: Run }) {
  const queries = useQueryClient();
  const list = api.useQuery("get", "/api/runs/{run_id}/files", { params: { path: { run_id: run.id } } });
  const [viewed, setViewed] = useState<string | null>(null);
  useEffect(
    () =>
      onEvent((event) => {
        if (event.run_id === run.id && (event.type === "call.finished" || event.type === "run.message"))
          queries.invalidateQueries({ queryKey: keyOf("/api/runs/{run_id}/files") });
      }),
    [queries, run.id],
  );
  const files = list.data?.items ?? [];
  return (
    <section className={`card ${page.panel} ${page.files}`} aria-label="Files">
      <div className="row">
        <h2 className="grow">Files</h2>
        {files.length > 1 && (
          <a className="small row" href={folderZipUrl(run.id)} download style={{ gap: "0.3rem" }}>
            <Icon name="download" size={14} /> All as ZIP
          </a>
        )}
      </div>
      {list.isError && <Failed what="Couldn't load the files" error={list.error} retry={() => list.refetch()} />}
      {list.isSuccess && files.length === 0 && <p className="small dim">Its folder is empty.</p>}
      {files.length > 0 && (
        <ul className={rows.list}>
          {files.slice(0, SHOWN).map(({ path, size_bytes, given_by }) => (
            <li key={path} className={rows.item}>
              <UnstyledButton className={rows.open} onClick={() => setViewed(path)}>
                <Icon name={given_by ? "user" : "file-text"} size={16} />
                <span className={`grow small ${classes.path}`}>{path}</span>
                <span className="tiny dim num">{size(size_bytes)}</span>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      {files.length > SHOWN && (
        <UnstyledButton className="small dim" onClick={() => setViewed(files[0]?.path ?? null)}>
          All {list.data?.total} files
        </UnstyledButton>
      )}
      {list.data && <Room used={list.data.used_bytes} most={list.data.max_bytes} />}
      <AddFiles run={run} most={list.data?.max_file_bytes} />
      {viewed && (
        <Suspense>
          <RunFileBrowser runId={run.id} files={files} first={viewed} onClose={() => setViewed(null)} />
        </Suspense>
      )}
    </section>
  );
}

/** How full the folder is, once something is in it. */
function Room({ used, most }: { used: number; most: number }) {
  if (used === 0) return null;
  return (
    <p className="tiny dim">
      {size(used)} of {size(most)} used
    </p>
  );
}

function AddFiles({ run, most }: { run: Run; most?: number }) {
  const may = useMay("member");
  const queries = useQueryClient();
  const [share, setShare] = useState<number | null>(null);
  if (!may || hasEnded(run)) return null;
  const add = async (files: File[]) => {
    const large = files.find((file) => most !== undefined && file.size > most);
    if (large) return failed(new Error(`${large.name} is too large: a file can have at most ${size(most ?? 0)}.`));
    setShare(0);
    try {
      const { items } = await upload<UploadList>(addUrl(run.id), files, { onProgress: setShare });
      said(items.length === 1 ? `Added ${items[0]?.name}.` : `Added ${items.length} files.`);
    } catch (error) {
      failed(error);
    }
    setShare(null);
    queries.invalidateQueries({ queryKey: keyOf("/api/runs/{run_id}/files") });
  };
  return (
    <FileDrop label="Add files" onFiles={add} busy={share !== null}>
      {share !== null && <progress className={classes.progress} aria-label="Sending" max={1} value={share} />}
    </FileDrop>
  );
}
