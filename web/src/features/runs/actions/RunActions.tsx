import { Button, Menu } from "@mantine/core";
import { needsWords, useMay } from "@/api/roles";
import type { Run } from "@/api/types";
import { hasEnded } from "@/ui/domain/runs/runStatus";
import { Icon, type IconName } from "@/ui/icons";
import classes from "../run.module.css";
import { type Action, actionsFor, type RunMutations } from "./useRunActions";

const ACTIONS: Record<Action, { label: string; icon: IconName }> = {
  pause: { label: "Pause", icon: "pause" },
  resume: { label: "Resume", icon: "play" },
  "skip-clarification": { label: "Skip the questions", icon: "fast-forward" },
  complete: { label: "Complete now", icon: "flag" },
  cancel: { label: "Cancel run", icon: "circle-stop" },
  continue: { label: "Continue", icon: "play" },
  retry: { label: "Try again", icon: "rotate-ccw" },
  restart: { label: "Try from the start", icon: "rotate-ccw" },
  delete: { label: "Delete run", icon: "trash-2" },
};

// What cannot be undone, or wants a word more, is asked about first.
const ASKED = new Set<Action>(["complete", "cancel", "continue", "retry", "delete"]);

export interface RunActionsProps {
  run: Run;
  mutations: RunMutations;
  /** Called for what wants one more question. */
  onAsk: (action: Action) => void;
  size?: "xs" | "sm";
  /** Keeps its place, while another line has the buttons. */
  hidden?: boolean;
}

/** What can be done to a run: the likely thing at once; the rest one step away. */
export function RunActions({ run, mutations, onAsk, size = "sm", hidden = false }: RunActionsProps) {
  const may = useMay("member");
  const admin = useMay("admin");
  const [first, ...others] = actionsFor(run, admin);
  const hasFailed = run.status === "failed";
  const begin = (action: Action) => {
    if (action === "restart") return mutations.again("start");
    // After a failure there is one likely thing: what was done stays, and the rest is tried again.
    if (action === "retry" && hasFailed) return mutations.again("last_good");
    return ASKED.has(action) ? onAsk(action) : mutations.start(action);
  };
  if (!first) return null;
  if (!may)
    return (
      <span className="small dim" title={needsWords("member", "steer runs")}>
        View only
      </span>
    );
  if (hidden) return <div className={classes.actionsPlace} />;
  return (
    <Button.Group>
      <Button
        size={size}
        variant={hasFailed ? "filled" : "default"}
        leftSection={<Icon name={ACTIONS[first].icon} size={14} />}
        loading={mutations.pending}
        onClick={() => begin(first)}
      >
        {ACTIONS[first].label}
      </Button>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <Button
            size={size}
            variant={hasFailed ? "filled" : "default"}
            px="xs"
            aria-label={hasEnded(run) ? "More about this run" : "End the run"}
            disabled={mutations.pending}
          >
            <Icon name="chevron-down" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {others.map((action) => (
            <Menu.Item
              key={action}
              color={action === "cancel" || action === "delete" ? "red" : undefined}
              leftSection={<Icon name={ACTIONS[action].icon} size={15} />}
              onClick={() => begin(action)}
            >
              {ACTIONS[action].label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}
