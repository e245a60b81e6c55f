import { getRouteApi } from "@tanstack/react-router";
import { RunView } from "@/features/runs/page/RunView";

const route = getRouteApi("/signed-in/runs/$runId");

export function RunPage() {
  const { runId } = route.useParams();
  return <RunView key={runId} runId={runId} />;
}
