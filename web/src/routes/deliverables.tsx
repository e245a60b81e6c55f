import { getRouteApi } from "@tanstack/react-router";
import { DeliverablesPage as Page } from "@/features/deliverables/DeliverablesPage";

const route = getRouteApi("/signed-in/deliverables");

export function DeliverablesPage() {
  return <Page filters={route.useSearch()} />;
}
