import { getRouteApi } from "@tanstack/react-router";
import { SettingsPage as Page } from "@/features/settings/SettingsPage";

const route = getRouteApi("/signed-in/settings");

export function SettingsPage() {
  return <Page section={route.useSearch().section} />;
}
