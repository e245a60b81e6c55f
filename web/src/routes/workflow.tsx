import { getRouteApi } from "@tanstack/react-router";
import { WorkflowEditor } from "@/features/workflows/editor/WorkflowEditor";

const route = getRouteApi("/signed-in/workflows/$slug");

export function WorkflowPage() {
  const { slug } = route.useParams();
  return <WorkflowEditor key={slug} slug={slug} isNew={route.useSearch().new === true} />;
}
