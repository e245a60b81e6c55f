import { Button } from "@mantine/core";
import { lazy } from "react";
import { Icon } from "@/ui/icons";
import { DropButton } from "@/ui/overlay/DropButton";
import classes from "../ask.module.css";

export interface Extra {
  label: string;
  act: () => void;
}

const ExtrasMenu = lazy(() => import("./ExtrasMenu"));

/** What is seldom wanted with a decision: in a row, on a phone in one menu. */
export function Extras({ extras }: { extras: Extra[] }) {
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
        <DropButton
          className={classes.moreButton}
          label="More ways to answer"
          menu={(close) => <ExtrasMenu extras={extras} onClose={close} />}
        >
          <Icon name="more" />
        </DropButton>
      </span>
    </>
  );
}
