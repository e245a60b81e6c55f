import { api } from "../client";

/** From a workflow's slug to its name; one that was deleted keeps its slug. */
export function useWorkflowNames(): (slug: string) => string {
  const workflows = api.useQuery("get", "/api/workflows", { params: { query: { limit: 200 } } }).data?.items;
  return (slug) => workflows?.find((workflow) => workflow.slug === slug)?.name || slug;
}
