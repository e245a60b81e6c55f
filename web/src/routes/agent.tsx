import { getRouteApi } from "@tanstack/react-router";
import { AgentPage as Page } from "@/features/agents/AgentPage";

export { NewAgentPage } from "@/features/agents/AgentPage";

const route = getRouteApi("/signed-in/agents/$slug");

export function AgentPage() {
  const { slug } = route.useParams();
  return <Page key={slug} slug={slug} tab={route.useSearch().tab} />;
}
