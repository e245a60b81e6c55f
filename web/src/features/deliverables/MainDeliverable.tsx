import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { Run } from "@/api/types";
import { iconOf } from "@/ui/domain/deliverableIcon";
import { Icon } from "@/ui/icons";
import { mainOf } from "./mainOf";

/** The way from a run's result to what it was about: the report. */
export function MainDeliverable({ run }: { run: Run }) {
  const list = api.useQuery("get", "/api/runs/{run_id}/deliverables", {
    params: { path: { run_id: run.id }, query: { limit: 200 } },
  });
  const main = mainOf(list.data?.items ?? []);
  if (!main) return null;
  return (
    <div>
      <Button
        variant="light"
        renderRoot={(props) => <Link {...props} to="/deliverables" search={{ view: main.id }} />}
        leftSection={<Icon name={iconOf(main)} />}
      >
        Open {main.name}
      </Button>
    </div>
  );
}
