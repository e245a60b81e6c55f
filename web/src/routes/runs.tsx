import { getRouteApi } from "@tanstack/react-router";
import { RunList } from "@/features/runs/list/RunList";

const route = getRouteApi("/signed-in/runs");

export function RunsPage() {
  return <RunList filters={route.useSearch()} />;
}
