import { UnstyledButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Icon } from "@/ui/icons";
import classes from "./setup.module.css";
import type { Fold } from "./setupFields";

interface FoldedFieldsProps {
  fold: Fold;
  /** Something of it is filled in. */
  begun: boolean;
  wrong: boolean;
  children: ReactNode;
}

/** What few need. It is open where something is filled in or wrong. */
export function FoldedFields({ fold, begun, wrong, children }: FoldedFieldsProps) {
  const [opened, setOpened] = useState(begun);
  const open = opened || wrong;
  return (
    <div>
      <UnstyledButton className={classes.fold} aria-expanded={open} onClick={() => setOpened(!open)}>
        <Icon name="chevron-right" size={14} /> {fold.title} <span className="dim">(optional)</span>
      </UnstyledButton>
      {open && (
        <div className={classes.folded}>
          <p className="small dim">{fold.description}</p>
          <div className={classes.fields}>{children}</div>
        </div>
      )}
    </div>
  );
}
