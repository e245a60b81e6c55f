import { Button, Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { wordsOf } from "@/api/problems";
import { Icon, type IconName } from "./icons";
import classes from "./states.module.css";

interface EmptyProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Nothing here: says what will appear, and how to get there. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className={classes.state}>
      <span className={classes.mark}>
        <Icon name={icon} size={22} />
      </span>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}

interface FailedProps {
  what: string;
  error: unknown;
  retry?: () => void;
}

export function Failed({ what, error, retry }: FailedProps) {
  return (
    <div className={classes.state} role="alert">
      <span className={`${classes.mark} ${classes.bad}`}>
        <Icon name="triangle-alert" size={22} />
      </span>
      <h2>{what}</h2>
      <p>{wordsOf(error)}</p>
      {retry && (
        <Button className={classes.action} variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Grey lines in the place of what is being loaded. */
export function Loading({ lines = 4, height = 38 }: { lines?: number; height?: number }) {
  return (
    <div className={classes.lines} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Skeleton key={line} height={height} radius="md" />
      ))}
    </div>
  );
}
