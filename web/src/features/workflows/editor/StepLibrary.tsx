import { TextInput, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { Icon } from "@/ui/icons";
import { useDrag } from "../canvas/useDrag";
import type { Place } from "../graph/layout";
import type { StepKind } from "../graph/stepStates";
import { kindOfStep } from "../graph/stepStates";
import type { Offers } from "../panel/useOffers";
import classes from "../workflows.module.css";

type Offered = Partial<Record<StepKind, string>>;

interface StepLibraryProps {
  offers: Offers;
  readOnly: boolean;
  onAdd: (step: Offered) => void;
  /** It was let go over a point of the window. */
  onDrop?: (step: Offered, at: Place) => void;
}

const GROUPS: [StepKind, string][] = [
  ["agent", "Agents"],
  ["workflow", "Workflows"],
  ["tool", "Tools"],
];
const MANY = 8;

/** What can be put on the canvas: drag it there, or choose it, and it follows the chosen step. */
export function StepLibrary({ offers, readOnly, onAdd, onDrop }: StepLibraryProps) {
  const [wanted, setWanted] = useState("");
  const drag = useDrag<Offered & { label: string }>(({ label: _, ...step }, at) => onDrop?.(step, at));
  const isWanted = ({ label }: { label: string }) => label.toLowerCase().includes(wanted.trim().toLowerCase());
  return (
    <nav className={classes.library} aria-label="Steps to add">
      {GROUPS.reduce((count, [kind]) => count + offers[kind].length, 0) > MANY && (
        <TextInput
          size="xs"
          aria-label="Find a step to add"
          placeholder="Find"
          leftSection={<Icon name="search" size={13} />}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      {GROUPS.map(([kind, title]) => {
        const found = offers[kind].filter(isWanted);
        if (found.length === 0) return null;
        return (
          <section key={kind} className={classes.offers} aria-label={title}>
            <div className="label">{title}</div>
            {found.map(({ value, label }) => (
              <UnstyledButton
                key={value}
                className={classes.offer}
                aria-label={`Add ${label}`}
                disabled={readOnly}
                {...(onDrop && !readOnly && drag.handlers({ [kind]: value, label }))}
                onClick={(event) => drag.isTap(event) && onAdd({ [kind]: value })}
              >
                <Icon name={kindOfStep({ [kind]: value }).icon} size={14} /> <span className="cut">{label}</span>
              </UnstyledButton>
            ))}
          </section>
        );
      })}
      {drag.over && (
        <div className={classes.dragged} style={{ left: drag.over.x, top: drag.over.y }} aria-hidden="true">
          {drag.over.dragged.label}
        </div>
      )}
    </nav>
  );
}
