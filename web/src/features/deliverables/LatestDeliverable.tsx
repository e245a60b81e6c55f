import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import { iconOf } from "@/ui/domain/deliverableIcon";
import { Icon } from "@/ui/icons";
import { isFresh } from "./mainOf";

/** Once nothing waits any more: what came of the decisions. */
export function LatestDeliverable() {
  const list = api.useQuery("get", "/api/deliverables", { params: { query: { limit: 1 } } });
  const latest = list.data?.items[0];
  if (!latest || !isFresh(latest, Date.now())) return null;
  return (
    <Button
      variant="light"
      renderRoot={(props) => <Link {...props} to="/deliverables" search={{ view: latest.id }} />}
      leftSection={<Icon name={iconOf(latest)} />}
    >
      Open {latest.name}
    </Button>
  );
}
