import { getRouteApi } from "@tanstack/react-router";
import { PauseAllButton } from "@/features/pauseAll/PauseAllButton";
import { RulesPage as Page } from "@/features/rules/RulesPage";

const route = getRouteApi("/signed-in/rules");

export function RulesPage() {
  return <Page {...route.useSearch()} pauseAll={<PauseAllButton />} />;
}
