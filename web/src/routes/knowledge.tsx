import { getRouteApi } from "@tanstack/react-router";
import { KnowledgePage as Page } from "@/features/knowledge/KnowledgePage";

const route = getRouteApi("/signed-in/knowledge");

export function KnowledgePage() {
  return <Page search={route.useSearch()} />;
}
