import { Button, Loader } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Suspense, useState } from "react";
import { Icon } from "@/ui/icons";
import { Loading } from "@/ui/States";
import classes from "./ask.module.css";
import { Bar } from "./Bar";
import { Changes } from "./Changes";
import type { DecideProps } from "./decide";
import { type Draft, useEdit, ValueEditor } from "./edit";
import { Problems } from "./Problems";

interface EditArgumentsProps extends Omit<DecideProps, "shortcuts"> {
  onBack: () => void;
}

/** Change the arguments, see what that changes, then approve exactly these. */
export function EditArguments({ ask, answering, onBack }: EditArgumentsProps) {
  const [draft, setDraft] = useState<Draft>(() => ({ values: ask.arguments ?? {}, problem: null }));
  const [settled] = useDebouncedValue(draft, 250);
  const edit = useEdit(ask, draft, settled);
  const untouched = !edit.checking && edit.errors.length === 0 && edit.changes.length === 0;
  const approve = () => {
    if (edit.arguments) answering.send({ decision: "approve", arguments: edit.arguments });
    else if (untouched) answering.send({ decision: "approve" });
  };
  const several = ask.approvals_required > 1 && ask.approvals.length > 0;
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves the editor from wherever the focus is */}
      <div className={classes.body} onKeyDown={(event) => event.key === "Escape" && onBack()}>
        <div className={classes.toolhead}>
          <Icon name="pencil" size={15} />
          <span>
            Arguments of <code>{ask.tool}</code>
          </span>
          <span className="small dim">The call runs with exactly what stands here.</span>
        </div>
        <Suspense fallback={<Loading lines={3} height={56} />}>
          <ValueEditor
            label={`Arguments of ${ask.tool}`}
            schema={ask.arguments_schema}
            value={ask.arguments}
            onChange={(values, problem) => setDraft({ values, problem })}
          />
        </Suspense>
        <Problems errors={edit.errors} />
        {edit.changes.length > 0 && edit.errors.length === 0 && (
          <>
            <div className="label">What you changed</div>
            <Changes changes={edit.changes} />
          </>
        )}
      </div>
      <Bar ask={ask} answering={answering}>
        {several && edit.changes.length > 0 && (
          <p className="small dim">Changing the arguments voids the signatures given before.</p>
        )}
        <div className={classes.buttons}>
          <Button
            data-main
            leftSection={<Icon name="check" />}
            disabled={!edit.arguments && !untouched}
            onClick={approve}
          >
            {untouched ? "Approve" : "Approve with changes"}
          </Button>
          <Button variant="subtle" color="gray" onClick={onBack}>
            Discard changes
          </Button>
          {edit.checking && (
            <span role="status" aria-label="Checking">
              <Loader size="xs" />
            </span>
          )}
        </div>
      </Bar>
    </>
  );
}
