import { getRouteApi } from "@tanstack/react-router";
import { AskCard } from "@/features/asks/detail/AskCard";
import { RunDeliverables } from "@/features/deliverables/RunDeliverables";
import { RunPage as Page } from "@/features/runs/page/RunPage";

const route = getRouteApi("/signed-in/runs/$runId");

/** A run, with what it asks and what it hands over. */
export function RunPage() {
  const { runId } = route.useParams();
  return (
    <Page
      key={runId}
      runId={runId}
      askCard={(ask) => <AskCard ask={ask} inRun />}
      deliverables={(run) => <RunDeliverables run={run} />}
    />
  );
}
