import { Button, Modal, NativeSelect } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import { useMay } from "@/api/roles";
import type { Deliverable } from "@/api/types";
import { CopyButton } from "@/ui/CopyButton";
import { Icon } from "@/ui/icons";
import { failed, said } from "@/ui/overlay/toast";
import { isText, shapeOf } from "@/ui/preview/fileShape";
import { size } from "@/ui/preview/fileSize";
import { DeliverableContent, fetchText } from "./DeliverableContent";
import { nameOf } from "./deliverableFilters";
import { downloadUrl } from "./deliverableLinks";
import classes from "./deliverables.module.css";

interface DeliverableViewProps {
  deliverable: Deliverable;
  onClose: () => void;
}

/** A deliverable to read, in any of its versions. */
export default function DeliverableView({ deliverable: newest, onClose }: DeliverableViewProps) {
  const phone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
  const versions = api.useQuery(
    "get",
    "/api/deliverables/{deliverable_id}/versions",
    { params: { path: { deliverable_id: newest.id }, query: { limit: 200 } } },
    { enabled: newest.version > 1 },
  ).data?.items;
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = versions?.find(({ id }) => id === chosen) ?? newest;
  return (
    <Modal
      opened
      onClose={onClose}
      size="60rem"
      fullScreen={phone}
      title={newest.name}
      closeButtonProps={{ "aria-label": "Close" }}
      classNames={{ content: classes.view, body: classes.viewBody }}
    >
      <div className={classes.about}>
        <span>
          {nameOf(shown.type)} · {size(shown.size_bytes)} · {nameOf(shown.status)}
        </span>
        {shown.description && <span>{shown.description}</span>}
        <Link to="/runs/$runId" params={{ runId: shown.run_id }} onClick={onClose}>
          {shown.run_title ?? "Its run"}
        </Link>
        <span>by {shown.agent_name ?? shown.agent}</span>
        <Link to="/deliverables" search={{ run: shown.run_id }} onClick={onClose}>
          All of this run
        </Link>
        {versions && versions.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label="Version"
            value={shown.id}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={versions.map(({ id, version }) => ({ value: id, label: `Version ${version}` }))}
          />
        )}
      </div>
      <DeliverableContent key={shown.id} deliverable={shown} />
      <div className={classes.foot}>
        <Status key={`${shown.id} ${shown.status}`} deliverable={shown} />
        {isText(shapeOf(shown)) && <CopyButton text={() => fetchText(shown)} />}
        {shown.storage !== "external" && (
          <Button component="a" href={downloadUrl(shown)} download leftSection={<Icon name="download" />}>
            Download
          </Button>
        )}
      </div>
    </Modal>
  );
}

/** Where a deliverable's status shows. */
const SHOWN_IN = [
  "/api/deliverables",
  "/api/deliverables/{deliverable_id}",
  "/api/deliverables/{deliverable_id}/versions",
  "/api/runs/{run_id}/deliverables",
] as const;

/** Archive what is not needed any more; bring it back. */
function Status({ deliverable }: { deliverable: Deliverable }) {
  const may = useMay("member");
  const queries = useQueryClient();
  const change = api.useMutation("patch", "/api/deliverables/{deliverable_id}", {
    onSuccess: ({ status }) => {
      said(status === "archived" ? "Archived." : `Marked as ${status}.`);
      for (const path of SHOWN_IN) queries.invalidateQueries({ queryKey: keyOf(path) });
    },
    onError: failed,
  });
  if (!may) return null;
  const next = deliverable.status === "archived" ? "final" : "archived";
  return (
    <Button
      variant="subtle"
      color="gray"
      mr="auto"
      leftSection={<Icon name="archive" size={15} />}
      loading={change.isPending}
      disabled={change.isSuccess}
      onClick={() => change.mutate({ params: { path: { deliverable_id: deliverable.id } }, body: { status: next } })}
    >
      {next === "archived" ? "Archive" : "Restore"}
    </Button>
  );
}
