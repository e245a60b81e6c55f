import { DashboardPage as Page } from "@/features/dashboard/DashboardPage";
import { RunRow } from "@/features/runs/list/RunRow";

export function DashboardPage() {
  return <Page runRow={(run) => <RunRow key={run.id} run={run} />} />;
}
