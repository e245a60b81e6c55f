import { TextInput, UnstyledButton } from "@mantine/core";
import { useRovingIndex } from "@mantine/hooks";
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
  const groups = GROUPS.map(([kind, title]) => ({ kind, title, found: offers[kind].filter(isWanted) }));
  const found = groups.flatMap((group) => group.found);
  const roving = useRovingIndex({ total: found.length, orientation: "vertical" });
  return (
    <nav className={classes.library} aria-label="Steps to add">
      {GROUPS.reduce((count, [kind]) => count + offers[kind].length, 0) > MANY && (
        <TextInput
          size="xs"
          aria-label="Find a step to add"
          placeholder="Find"
          leftSection={<Icon name="search" size={13} />}
          value={wanted}
          onChange={(event) => {
            setWanted(event.currentTarget.value);
            roving.setFocusedIndex(0);
          }}
        />
      )}
      {/* One stop for the Tab key, however many there are; arrow keys go on from there. */}
      <div
        className={classes.offerGroups}
        role="toolbar"
        aria-orientation="vertical"
        aria-label="Agents, workflows and tools"
      >
        {groups
          .filter((group) => group.found.length > 0)
          .map(({ kind, title, found: offered }) => (
            <section key={kind} className={classes.offers} aria-label={title}>
              <div className="label">{title}</div>
              {offered.map((offer) => (
                <UnstyledButton
                  key={offer.value}
                  className={classes.offer}
                  aria-label={`Add ${offer.label}`}
                  disabled={readOnly}
                  {...(onDrop && !readOnly && drag.handlers({ [kind]: offer.value, label: offer.label }))}
                  {...roving.getItemProps({
                    index: found.indexOf(offer),
                    onClick: (event) => drag.isTap(event) && onAdd({ [kind]: offer.value }),
                  })}
                >
                  <Icon name={kindOfStep({ [kind]: offer.value }).icon} size={14} />{" "}
                  <span className="cut">{offer.label}</span>
                </UnstyledButton>
              ))}
            </section>
          ))}
      </div>
      {drag.over && (
        <div className={classes.dragged} style={{ left: drag.over.x, top: drag.over.y }} aria-hidden="true">
          {drag.over.dragged.label}
        </div>
      )}
    </nav>
  );
}
