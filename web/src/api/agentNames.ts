import { api } from "./client";

/** From an agent's slug to its name; one that was deleted keeps its slug. */
export function useAgentNames(): (slug: string) => string {
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } }).data?.items;
  return (slug) => agents?.find((agent) => agent.slug === slug)?.name || slug;
}
