import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Icon } from "../icons";
import classes from "./foldedFilters.module.css";

interface FoldedFiltersProps {
  /** How many of them are in force. */
  active: number;
  children: ReactNode;
}

/** Filters in a row; on a phone behind one button, so that the list comes first. */
export function FoldedFilters({ active, children }: FoldedFiltersProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        className={classes.toggle}
        variant="default"
        leftSection={<Icon name="sliders" size={14} />}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {active > 0 ? `Filters (${active})` : "Filters"}
      </Button>
      <div className={classes.rest} data-open={open}>
        {children}
      </div>
    </>
  );
}
