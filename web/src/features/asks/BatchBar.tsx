import { ActionIcon, Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import type { Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import { useKeys } from "@/ui/useKeys";
import classes from "./inbox.module.css";

const BatchDialog = lazy(() => import("./BatchDialog"));

interface BatchBarProps {
  asks: Ask[];
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  onDone: () => void;
}

/** Many at once: what is selected, and what to do with it. */
export function BatchBar({ asks, selected, onSelect, onDone }: BatchBarProps) {
  const [decision, setDecision] = useState<"approve" | "deny" | null>(null);
  const chosen = asks.filter(({ id }) => selected.has(id));
  useKeys({ a: () => setDecision("approve"), d: () => setDecision("deny") });
  return (
    <div className={classes.batch} role="toolbar" aria-label="Selected asks">
      <span className="grow small">
        <strong className="num">{selected.size}</strong> selected
        {selected.size < asks.length && (
          <Button size="compact-xs" variant="subtle" onClick={() => onSelect(new Set(asks.map(({ id }) => id)))}>
            all {asks.length}
          </Button>
        )}
      </span>
      <Button size="xs" leftSection={<Icon name="check" size={14} />} onClick={() => setDecision("approve")}>
        Approve
      </Button>
      <Button size="xs" variant="default" leftSection={<Icon name="x" size={14} />} onClick={() => setDecision("deny")}>
        Deny
      </Button>
      <ActionIcon variant="subtle" color="gray" aria-label="Select nothing" onClick={() => onSelect(new Set())}>
        <Icon name="x" />
      </ActionIcon>
      {decision && (
        <Suspense>
          <BatchDialog
            asks={chosen}
            decision={decision}
            onClose={(done) => {
              setDecision(null);
              if (done) onDone();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
