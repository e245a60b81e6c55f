import { Link, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { onEvent } from "@/api/live/useLive";
import { hideToast, showToast } from "@/ui/overlay/toast";

/** Says what runs hand over, on pages that do not show it by themselves. */
export function NewDeliverables() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const latest = useRef(path);
  latest.current = path;
  useEffect(
    () =>
      onEvent((event) => {
        if (event.type !== "deliverable.created") return;
        const { id, name, run_id: runId } = event.data.deliverable;
        if (document.hidden || latest.current === "/deliverables" || latest.current === `/runs/${runId}`) return;
        // One for all that a run hands over together.
        const toast = `deliverables of ${runId}`;
        showToast({
          id: toast,
          title: "New deliverable",
          message: (
            <Link to="/deliverables" search={{ run: runId, view: id }} onClick={() => hideToast(toast)}>
              {name}
            </Link>
          ),
          color: "pine",
          autoClose: 8_000,
        });
      }),
    [],
  );
  return null;
}
