import { getRouteApi } from "@tanstack/react-router";
import { RunAskCard } from "@/features/asks/newAsks/RunAskCard";
import { MainDeliverable } from "@/features/deliverables/MainDeliverable";
import { RunDeliverables } from "@/features/deliverables/RunDeliverables";
import { RunPage as Page } from "@/features/runs/page/RunPage";

const route = getRouteApi("/signed-in/runs/$runId");

/** A run, with what it asks and what it hands over. */
export function RunPage() {
  const { runId } = route.useParams();
  const { action } = route.useSearch();
  return (
    <Page
      key={runId}
      runId={runId}
      wanted={action}
      askCard={(ask, first) => <RunAskCard ask={ask} first={first} />}
      deliverables={(run) => <RunDeliverables run={run} />}
      mainDeliverable={(run) => <MainDeliverable run={run} />}
    />
  );
}
