import { getRouteApi } from "@tanstack/react-router";
import { SettingsPage as Page } from "@/features/settings/SettingsPage";
import { useGoToWorkspace } from "./session/useGoToWorkspace";

const route = getRouteApi("/signed-in/settings");

export function SettingsPage() {
  return <Page search={route.useSearch()} goTo={useGoToWorkspace()} />;
}
