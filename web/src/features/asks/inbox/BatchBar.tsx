import { ActionIcon, Button } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import { useOverlay } from "@/ui/overlay/useOverlay";
import { useShortcutKeys } from "@/ui/overlay/useShortcutKeys";
import classes from "./inbox.module.css";
import { isDecidedTogether } from "./rowSelection";

const BatchDialog = lazy(() => import("./BatchDialog"));

interface BatchBarProps {
  asks: Ask[];
  /** More wait than are loaded. */
  more: boolean;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  onDone: () => void;
}

/** Many at once: what is selected, and what to do with it. The dialog outlives the bar: it says what came of each. */
export function BatchBar({ asks, more, selected, onSelect, onDone }: BatchBarProps) {
  const { over: decision, open, close } = useOverlay<"approve" | "deny">();
  const some = selected.size > 0;
  const all = asks.filter(isDecidedTogether);
  useShortcutKeys({ a: some ? () => open("approve") : undefined, d: some ? () => open("deny") : undefined });
  return (
    <>
      {some && (
        <div className={classes.batch} role="toolbar" aria-label="Selected asks">
          <span className="grow small">
            <strong className="num">{selected.size}</strong> selected
            {selected.size < all.length && (
              <Button size="compact-xs" variant="subtle" onClick={() => onSelect(new Set(all.map(({ id }) => id)))}>
                Select all {all.length}
                {more && " loaded"}
              </Button>
            )}
          </span>
          <Button size="xs" leftSection={<Icon name="check" size={14} />} onClick={() => open("approve")}>
            Approve
          </Button>
          <Button size="xs" variant="default" leftSection={<Icon name="x" size={14} />} onClick={() => open("deny")}>
            Deny
          </Button>
          <ActionIcon variant="subtle" color="gray" aria-label="Clear selection" onClick={() => onSelect(new Set())}>
            <Icon name="x" />
          </ActionIcon>
        </div>
      )}
      {decision && (
        <Suspense>
          <BatchDialog
            asks={asks.filter(({ id }) => selected.has(id))}
            decision={decision}
            onClose={(done) => {
              close();
              if (done) onDone();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
