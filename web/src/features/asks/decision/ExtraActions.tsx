import { Button } from "@mantine/core";
import { lazy } from "react";
import { Icon } from "@/ui/icons";
import { DropdownButton } from "@/ui/overlay/DropdownButton";
import classes from "../ask.module.css";

export interface Extra {
  label: string;
  act: () => void;
}

const ExtraActionsMenu = lazy(() => import("./ExtraActionsMenu"));

/** What is seldom wanted with a decision: in a row, on a phone in one menu. */
export function ExtraActions({ extras }: { extras: Extra[] }) {
  if (extras.length === 0) return null;
  return (
    <>
      <span className={classes.extras}>
        {extras.map(({ label, act }) => (
          <Button key={label} size="compact-xs" variant="subtle" color="gray" className={classes.extra} onClick={act}>
            {label}
          </Button>
        ))}
      </span>
      <span className={classes.more}>
        <DropdownButton
          className={classes.moreButton}
          label="More ways to answer"
          menu={(close) => <ExtraActionsMenu extras={extras} onClose={close} />}
        >
          <Icon name="more" />
        </DropdownButton>
      </span>
    </>
  );
}
