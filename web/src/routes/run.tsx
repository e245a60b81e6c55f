import { getRouteApi } from "@tanstack/react-router";
import { CheckpointAnswer } from "@/features/asks/decision/CheckpointAnswer";
import { RunAskCard } from "@/features/asks/newAsks/RunAskCard";
import { MainDeliverable } from "@/features/deliverables/MainDeliverable";
import { RunDeliverables } from "@/features/deliverables/RunDeliverables";
import { RunPage as Page } from "@/features/runs/page/RunPage";
import { WorkflowRun } from "@/features/workflows/run/WorkflowRun";

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
      steps={(run) => <WorkflowRun run={run} checkpoint={(askId) => <CheckpointAnswer askId={askId} />} />}
      mainDeliverable={(run) => <MainDeliverable run={run} />}
    />
  );
}
