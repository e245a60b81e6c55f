import { Button, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import type { Run } from "@/api/types";
import { Icon, type IconName } from "@/ui/icons";
import { failed } from "@/ui/toast";
import { type Action, actionsFor } from "./words";

const ACTIONS: Record<Action, { label: string; icon: IconName }> = {
  pause: { label: "Pause", icon: "pause" },
  resume: { label: "Resume", icon: "play" },
  complete: { label: "Complete now", icon: "flag" },
  cancel: { label: "Cancel run", icon: "circle-stop" },
};

/** The wheel: pause or resume at once; what ends the run is one step away. */
export function RunActions({ run }: { run: Run }) {
  const act = useRunAction(run);
  const [first, ...ends] = actionsFor(run);
  if (!first) return null;
  return (
    <Button.Group>
      <Button
        variant="default"
        leftSection={<Icon name={ACTIONS[first].icon} size={14} />}
        loading={act.pending}
        onClick={() => act.start(first)}
      >
        {ACTIONS[first].label}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px="xs" aria-label="End the run" disabled={act.pending}>
            <Icon name="chevron-right" style={{ rotate: "90deg" }} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {ends.map((action) => (
            <Menu.Item
              key={action}
              color={action === "cancel" ? "red" : undefined}
              leftSection={<Icon name={ACTIONS[action].icon} size={15} />}
              onClick={() => act.start(action)}
            >
              {ACTIONS[action].label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}

function useRunAction(run: Run) {
  const queries = useQueryClient();
  const params = { path: { run_id: run.id } };
  const options = {
    onSuccess: () => queries.invalidateQueries({ queryKey: ["get", "/api/runs/{run_id}", { params }] }),
    onError: failed,
  };
  const mutations = {
    pause: api.useMutation("post", "/api/runs/{run_id}/pause", options),
    resume: api.useMutation("post", "/api/runs/{run_id}/resume", options),
    complete: api.useMutation("post", "/api/runs/{run_id}/complete", options),
    cancel: api.useMutation("post", "/api/runs/{run_id}/cancel", options),
  };
  return {
    start: (action: Action) => mutations[action].mutate({ params }),
    pending: Object.values(mutations).some((mutation) => mutation.isPending),
  };
}
