import { getRouteApi } from "@tanstack/react-router";
import { RunPage as Page } from "@/features/runs/page/RunPage";

const route = getRouteApi("/signed-in/runs/$runId");

export function RunPage() {
  const { runId } = route.useParams();
  return <Page key={runId} runId={runId} />;
}
