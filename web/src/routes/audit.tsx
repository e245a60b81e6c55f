import { getRouteApi } from "@tanstack/react-router";
import { AuditPage as Page } from "@/features/audit/AuditPage";

const route = getRouteApi("/signed-in/audit");

export function AuditPage() {
  return <Page filters={route.useSearch()} />;
}
