import { UnstyledButton } from "@mantine/core";
import { useShowMore } from "@/ui/text/ShowMore";
import { useDrag } from "../canvas/useDrag";
import type { Place } from "../graph/layout";
import type { Field } from "../graph/sourcePaths";
import classes from "../workflows.module.css";

const FIRST = 12;

interface FieldChipsProps {
  fields: Field[];
  /** Give the step this field; let go over one of its own, that one is filled with it. */
  onTake: (path: string, target?: string) => void;
}

/** What is known before a step: drag a field to where it should go, or click it. */
export function FieldChips({ fields, onTake }: FieldChipsProps) {
  const { shown, more } = useShowMore(fields.length, FIRST, "fields");
  const drag = useDrag<string>((path, at) => {
    const over = targetAt(at);
    if (over !== null) onTake(path, over || undefined);
  });
  if (fields.length === 0) return null;
  return (
    <section aria-label="Known before this step">
      <div className="label">Known before this step</div>
      <div className={classes.chips}>
        {fields.slice(0, shown).map(({ path, type }) => (
          <UnstyledButton
            key={path}
            className={classes.chip}
            aria-label={`Use ${path}`}
            title={`${path}${type ? `, ${[type].flat().join(" or ")}` : ""}`}
            {...drag.handlers(path)}
            onClick={(event) => drag.isTap(event) && onTake(path)}
          >
            {path.replace(/^steps\./, "")}
          </UnstyledButton>
        ))}
      </div>
      {more}
      {drag.over && (
        <div className={classes.dragged} style={{ left: drag.over.x, top: drag.over.y }} aria-hidden="true">
          {drag.over.dragged}
        </div>
      )}
    </section>
  );
}

/** The step's field under a point; "" beside them, null outside. */
function targetAt({ x, y }: Place): string | null {
  const under = document.elementFromPoint(x, y);
  const row = under?.closest<HTMLElement>("[data-field]");
  if (row) return row.dataset.field ?? null;
  return under?.closest("[data-mapping]") ? "" : null;
}
