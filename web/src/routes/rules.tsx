import { getRouteApi } from "@tanstack/react-router";
import { RulesPage as Page } from "@/features/rules/RulesPage";

const route = getRouteApi("/signed-in/rules");

export function RulesPage() {
  return <Page {...route.useSearch()} />;
}
