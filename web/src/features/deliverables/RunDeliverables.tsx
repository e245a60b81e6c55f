import { UnstyledButton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { api } from "@/api/client";
import type { Deliverable, Run } from "@/api/types";
import { iconOf } from "@/ui/domain/deliverableIcon";
import { hasEnded } from "@/ui/domain/runs/runStatus";
import { Icon } from "@/ui/icons";
import rows from "@/ui/list/compactList.module.css";
import { size } from "@/ui/preview/fileSize";
import { Failed } from "@/ui/States";
import { DownloadButton } from "./DownloadButton";
import { nameOf } from "./deliverableFilters";
import { zipUrl } from "./deliverableLinks";
import classes from "./deliverables.module.css";

const DeliverableView = lazy(() => import("./DeliverableView"));

/** What a run has handed over, to read here or to take away. */
export function RunDeliverables({ run }: { run: Run }) {
  const list = api.useQuery("get", "/api/runs/{run_id}/deliverables", {
    params: { path: { run_id: run.id }, query: { limit: 200 } },
  });
  const [viewed, setViewed] = useState<Deliverable | null>(null);
  const items = list.data?.items ?? [];
  // As it is now; one that a newer version has taken out of the list stays open.
  const shown = items.find(({ id }) => id === viewed?.id) ?? viewed;
  return (
    <section className={`card ${classes.panel}`} aria-label="Deliverables">
      <div className="row">
        <h2 className="grow">Deliverables</h2>
        {items.length > 1 && (
          <a className="small row" href={zipUrl(run.id)} download style={{ gap: "0.3rem" }}>
            <Icon name="download" size={14} /> All as ZIP
          </a>
        )}
      </div>
      {list.isError && <Failed what="Couldn't load the deliverables" error={list.error} retry={() => list.refetch()} />}
      {list.isSuccess && items.length === 0 && (
        <p className="small dim">{hasEnded(run) ? "Nothing was handed over." : "What it hands over appears here."}</p>
      )}
      {items.length > 0 && (
        <ul className={rows.list}>
          {items.map((item) => (
            <li key={item.id} className={rows.item}>
              <UnstyledButton className={rows.open} onClick={() => setViewed(item)}>
                <Icon name={iconOf(item)} size={17} />
                <span className="grow">
                  <span className={classes.name}>{item.name}</span>
                  <span className="tiny dim">
                    {nameOf(item.type)} · {size(item.size_bytes)}
                    {item.status !== "final" && ` · ${nameOf(item.status)}`}
                    {item.version > 1 && ` · version ${item.version}`}
                  </span>
                </span>
              </UnstyledButton>
              <DownloadButton item={item} />
            </li>
          ))}
        </ul>
      )}
      {shown && (
        <Suspense>
          <DeliverableView deliverable={shown} onClose={() => setViewed(null)} />
        </Suspense>
      )}
    </section>
  );
}
