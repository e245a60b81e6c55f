import { getRouteApi } from "@tanstack/react-router";
import { ConnectionsPage as Page } from "@/features/connections/ConnectionsPage";

const route = getRouteApi("/signed-in/connections");

export function ConnectionsPage() {
  return <Page search={route.useSearch()} />;
}
