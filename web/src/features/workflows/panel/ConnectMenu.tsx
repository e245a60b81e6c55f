import { ActionIcon, Button, Menu } from "@mantine/core";
import type { WorkflowDefinition, WorkflowStep } from "@/api/workflows/workflows";
import { Icon } from "@/ui/icons";
import { mayConnect, needsOf } from "../graph/needs";
import { disconnect } from "../text/stepChanges";
import classes from "../workflows.module.css";

interface ConnectMenuProps {
  definition: WorkflowDefinition;
  step: WorkflowStep;
  readOnly: boolean;
  onEdit: (change: (text: string) => string) => void;
  onConnect: (from: string, to: string) => void;
}

/** What a step waits for, and the arrows from it, without a mouse. */
export function ConnectMenu({ definition: { steps }, step, readOnly, onEdit, onConnect }: ConnectMenuProps) {
  const nameOf = (id: string) => steps.find((each) => each.id === id)?.name ?? id;
  const waits = needsOf(steps).get(step.id) ?? [];
  const targets = steps.filter(({ id }) => mayConnect(steps, step.id, id));
  return (
    <div className="stack" style={{ gap: "0.35rem" }}>
      <div className="label">Waits for</div>
      {waits.length === 0 && <p className="tiny dim">Nothing: it starts at once.</p>}
      <ul className={classes.waits} aria-label="Waits for">
        {waits.map((id) => (
          <li key={id} className="small">
            <span className="cut">{nameOf(id)}</span>
            {!readOnly && (
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={`Don't wait for ${nameOf(id)}`}
                onClick={() => onEdit((text) => disconnect(text, id, step.id))}
              >
                <Icon name="x" size={13} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {!readOnly && (
        <Menu position="bottom-start" width="target">
          <Menu.Target>
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="arrow-right" size={14} />}
              disabled={targets.length === 0}
            >
              Connect to…
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {targets.map(({ id }) => (
              <Menu.Item key={id} onClick={() => onConnect(step.id, id)}>
                {nameOf(id)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}
